// @ts-check
// Builds what `npm start` serves: the web app with its prerendered landing page, and the server. With --demo: the web app as a
// folder for any static host, without a server (decisions 20).
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { serverBundle } from "./server-bundle.mjs";

const projectDir = dirname(import.meta.dirname);
const demoSiteName = process.env["SITE_NAME"] ?? "Pipwright";

process.chdir(projectDir);
// React picks its production build by this, also while the landing page is rendered.
process.env["NODE_ENV"] = "production";

const steps = process.argv.includes("--demo") ? [buildDemo] : [buildSite, buildServer];
for (const step of steps) await step();

async function buildSite() {
  await timed("web app", async () => {
    const folder = "dist/web";
    await buildWeb("production");
    const shell = join(folder, "shell.html");
    const landing = join(folder, "index.html");
    writeFileSync(landing, withContent(readFileSync(landing, "utf8"), await prerender("production")));
    if (!existsSync(shell)) throw new Error("The build made no shell.html.");
  });
}

async function buildDemo() {
  await timed("demo", async () => {
    const folder = "dist/demo";
    await buildWeb("demo");
    const named = (/** @type {string} */ html) => html.replaceAll("%SITE_NAME%", demoSiteName);
    const landing = withContent(readFileSync(join(folder, "index.html"), "utf8"), await prerender("demo"));
    writeFileSync(join(folder, "index.html"), named(landing));
    const shell = named(readFileSync(join(folder, "shell.html"), "utf8"));
    rmSync(join(folder, "shell.html"));
    writeFileSync(join(folder, "404.html"), shell);
    // A static host finds a page by its folder.
    for (const route of ["auth", "student", "payment", "admin"]) {
      mkdirSync(join(folder, route), { recursive: true });
      writeFileSync(join(folder, route, "index.html"), shell);
    }
  });
}

async function buildServer() {
  await timed("server", async () => {
    await build(serverBundle());
  });
}

/** @param {"production" | "demo"} mode */
function buildWeb(mode) {
  return build({ configFile: "vite.config.ts", mode, logLevel: "warn" });
}

/** The landing page's HTML. @param {"production" | "demo"} mode @returns {Promise<string>} */
async function prerender(mode) {
  const outDir = join(projectDir, `.cache/prerender-${mode}`);
  await build({
    configFile: "vite.config.ts",
    mode,
    logLevel: "warn",
    build: { ssr: "prerender.tsx", outDir, emptyOutDir: true, copyPublicDir: false },
  });
  const { renderLanding } = await import(pathToFileURL(join(outDir, "prerender.js")).href);
  return renderLanding();
}

/** @param {string} page @param {string} content */
function withContent(page, content) {
  const empty = '<div id="root"></div>';
  if (!page.includes(empty)) throw new Error(`The page has no ${empty}.`);
  return page.replace(empty, () => `<div id="root">${content}</div>`);
}

/** @param {string} what @param {() => Promise<void>} run */
async function timed(what, run) {
  const started = Date.now();
  await run();
  console.log(`  built ${what} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}
