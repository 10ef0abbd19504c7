// @ts-check
import { join } from "node:path";
import { isContractProcedure } from "@orpc/contract";
import { runnerImport } from "vite";
import { projectDir } from "./install.mjs";

const name = "virtual:contract-routes";

/**
 * What a client needs of the contract: where each call is sent. Its schemas and descriptions would be a third of a page's script.
 * @type {import("vite").Plugin}
 */
export const contractRoutes = {
  name: "contract-routes",
  resolveId: (id) => (id === name ? `\0${name}` : undefined),
  async load(id) {
    if (id !== `\0${name}`) return undefined;
    const file = "./src/domain/api/contract.ts";
    /** @type {{ module: { contract: import("@orpc/contract").AnyContractRouter }, dependencies: string[] }} */
    const { module, dependencies } = await runnerImport(file, { configFile: false, root: projectDir });
    for (const source of dependencies) this.addWatchFile(join(projectDir, source));
    return `export const contract = ${JSON.stringify(routesOf(module.contract))};`;
  },
};

/** @param {import("@orpc/contract").AnyContractRouter} router @returns {object} */
function routesOf(router) {
  if (isContractProcedure(router)) {
    const { summary: _summary, description: _description, spec: _spec, ...route } = router["~orpc"].route;
    return { "~orpc": { errorMap: {}, meta: {}, route } };
  }
  return Object.fromEntries(Object.entries(router).map(([key, part]) => [key, routesOf(part)]));
}
