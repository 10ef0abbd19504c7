// @ts-check
// Builds what `npm start` serves: the web app with its prerendered landing page, and the server. With --demo: the web app as a
// folder for any static host, without a server (DEMO-1).
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { forgetBuild, giveUpWhileSiteRuns, installIfNeeded, projectDir } from "./install.mjs";
import { fillInSite, readSiteSettings } from "./page-marks.mjs";
import { precompress } from "./precompress.mjs";
import { serverBundle } from "./server-bundle.mjs";
import { notFoundTitle, shellPage, shellPages, takeManifest } from "./shell-pages.mjs";

const site = readSiteSettings(projectDir);

process.chdir(projectDir);
await installIfNeeded();
const isDemo = process.argv.includes("--demo");
if (!isDemo) await giveUpWhileSiteRuns();
forgetBuild(isDemo ? "demo" : "site");
// Loaded here: before the installation there are no packages.
const { build } = await import("vite");
const { writeSitePictures } = await import("./pictures/site-pictures.mjs");
// React picks its production build by this, also while the landing page is rendered.
process.env["NODE_ENV"] = "production";

const steps = isDemo ? [buildDemo] : [buildSite, buildServer];
for (const step of steps) await step();

async function buildSite() {
  await timed("web app", async () => {
    const folder = "dist/web";
    const pages = await buildPages("production", folder);
    for (const [route, html] of pages) writeFileSync(join(folder, `${route}.html`), html);
    precompress(folder);
  });
}

async function buildDemo() {
  await timed("demo", async () => {
    const folder = "dist/demo";
    const pages = await buildPages("demo", folder);
    rmSync(join(folder, "shell.html"));
    for (const [route, html] of pages) {
      // Nothing is ever approved there.
      if (route === "receipt") continue;
      // A static host finds a page by its folder, and the one for what is not there by its name.
      const file = route === "index" ? "index.html" : route === "shell" ? "404.html" : `${route}/index.html`;
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), named(html));
    }
    // Nobody fills these in later, and a map of the site needs whole addresses.
    for (const file of ["robots.txt", "sitemap.xml", "site.webmanifest"]) {
      if (site.origin === "" && file !== "site.webmanifest") rmSync(join(folder, file));
      else writeFileSync(join(folder, file), named(readFileSync(join(folder, file), "utf8")));
    }
  });
}

async function buildServer() {
  await timed("server", async () => {
    await build(serverBundle());
  });
}

/**
 * Builds the web app and its pictures; returns the HTML of every page by its route; `shell` is the page for unknown addresses.
 * @param {"production" | "demo"} mode @param {string} folder @returns {Promise<Map<string, string>>}
 */
async function buildPages(mode, folder) {
  await build({ configFile: "vite.config.ts", mode, logLevel: "warn" });
  const chunksOf = takeManifest(folder);
  const { renderPage, renderFirstPaints, courseData, bars } = await loadPrerender(mode);
  await writeSitePictures(folder, bars);
  const landing = readFileSync(join(folder, "index.html"), "utf8");
  const shell = readFileSync(join(folder, "shell.html"), "utf8");
  const pages = new Map([
    ["index", withData(withContent(landing, await renderPage("/")), courseData())],
    ["shell", shellPage(shell, notFoundTitle, [])],
    ...shellPages.map(
      ({ route, title, modules }) => /** @type {const} */ ([route, shellPage(shell, title, chunksOf(modules))]),
    ),
  ]);
  // The demo has one page for every address, and a student who is always signed in.
  if (mode === "demo") return pages;
  const shells = new Map(pages);
  for (const { file, route, content } of await renderFirstPaints()) {
    pages.set(file, withFirstPaint(shells.get(route) ?? "", content));
  }
  return pages;
}

/**
 * What src/web/prerender.tsx exports, bundled. @param {"production" | "demo"} mode
 * @returns {Promise<{ renderPage: (path: string) => Promise<string>,
 *   renderFirstPaints: () => Promise<{ file: string, route: string, content: string }[]>,
 *   courseData: () => string, bars: import("./pictures/site-pictures.mjs").Bar[] }>}
 */
async function loadPrerender(mode) {
  const outDir = join(projectDir, `.cache/prerender-${mode}`);
  await build({
    configFile: "vite.config.ts",
    mode,
    logLevel: "warn",
    build: { ssr: "prerender.tsx", outDir, emptyOutDir: true, copyPublicDir: false, manifest: false },
  });
  // What modules of the app read when they are loaded, as it is for a visitor.
  const empty = { getItem: () => null };
  Object.assign(globalThis, { location: new URL("http://build.invalid/"), localStorage: empty, sessionStorage: empty });
  return import(pathToFileURL(join(outDir, "prerender.js")).href);
}

/** @param {string} page @param {string} content @param {string} [after] */
function withContent(page, content, after = "") {
  const empty = '<div id="root"></div>';
  if (!page.includes(empty)) throw new Error(`The page has no ${empty}.`);
  return page.replace(empty, () => `<div id="root">${content}</div>${after}`);
}

/** A script of a data type is not run, so the content policy has nothing against it. @param {string} page @param {string} data */
function withData(page, data) {
  return page.replace("</head>", () => `  <script type="application/ld+json">${data}</script>\n  </head>`);
}

/** A page that is displayed until React renders it: its styles, font and first script before all modules. @param {string} page @param {string} content */
function withFirstPaint(page, content) {
  const theme = '<script src="/theme.js"></script>';
  if (!page.includes(theme)) throw new Error(`The page has no ${theme}.`);
  const arrival = "/arrival.js";
  // Asked for before the chunks, since the first paint waits for it; run behind the content, which it completes.
  return withContent(page, content, `<script src="${arrival}"></script>`)
    .replace(theme, `${theme}\n    <link rel="preload" href="${arrival}" as="script" />`)
    .replaceAll(/<script type="module"|<link rel="modulepreload"/g, '$& fetchpriority="low"');
}

/** What the server does for its pages. @param {string} text */
function named(text) {
  return (
    fillInSite(text, site)
      // The demo has no contacts.
      .replaceAll("%SITE_LINKS%", "")
      .replaceAll(/href="%LINK_\w+%"/g, 'role="link" aria-disabled="true"')
  );
}

/** @param {string} what @param {() => Promise<void>} run */
async function timed(what, run) {
  const started = Date.now();
  await run();
  console.log(`  built ${what} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}
