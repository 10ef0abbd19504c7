import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build } from "vite";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    pictureWorker: string;
  }
}

const project = resolve(import.meta.dirname, "../..");

/** Bundles the process that decodes pictures, since Node 20 does not run TypeScript. Inside the project, where packages are found. */
export default async function setup(tests: TestProject): Promise<() => Promise<void>> {
  const cache = join(project, ".cache");
  await mkdir(cache, { recursive: true });
  const outDir = await mkdtemp(join(cache, "test-worker-"));
  const entry = join(project, "src/server/platform/pictures/picture-worker.ts");
  await build({
    root: project,
    configFile: false,
    logLevel: "warn",
    build: { ssr: entry, target: "node20", outDir, minify: false, reportCompressedSize: false },
  });
  tests.provide("pictureWorker", join(outDir, "picture-worker.js"));
  return () => rm(outDir, { recursive: true, force: true });
}
