import { join } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { contractRoutes } from "./scripts/contract-routes.mjs";
import { fillInSite, readSiteSettings } from "./scripts/page-marks.mjs";
import { chunkGroups } from "./scripts/web-chunks.mjs";

const settings = readSiteSettings(import.meta.dirname);
const server = `http://localhost:${settings.port}`;

/** Somebody to ask, as the server would write it, so that the parts that name them can be seen. */
const siteLinks = JSON.stringify({ contacts: [{ label: "help@example.com", href: "mailto:help@example.com" }], footer: {} });

/** The built pages keep these marks for the server; the dev server and the styleguide have none, so they are filled in here. */
const siteName: Plugin = {
  name: "site-name",
  apply: (_config, { command, mode }) => command === "serve" || mode === "styleguide",
  transformIndexHtml: (html) =>
    fillInSite(html, { ...settings, origin: "" })
      .replaceAll("%SITE_LINKS%", siteLinks.replaceAll('"', "&quot;"))
      .replaceAll("%PAGE_TITLE% – ", ""),
};

/** The web app. `scripts/build.mjs` runs this, then prerenders `/`; `vite` alone is the dev server. */
export default defineConfig(({ mode, isSsrBuild }) => ({
  root: "src/web",
  appType: "spa",
  plugins: [react(), tailwindcss(), siteName, contractRoutes],
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ["/api", "/auth/v1", "/functions", "/storage", "/mailbox"].map((path) => [path, { target: server, xfwd: false }]),
    ),
  },
  build: {
    outDir: mode === "demo" ? "../../dist/demo" : "../../dist/web",
    emptyOutDir: true,
    // The policy allows no data: fonts, and every inlined byte would come before the first paint.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Read and removed by scripts/shell-pages.mjs.
    manifest: true,
    reportCompressedSize: false,
    rolldownOptions: {
      ...(isSsrBuild
        ? {}
        : {
            input: ["index.html", "shell.html"].map((page) => join(import.meta.dirname, "src/web", page)),
            output: { codeSplitting: { groups: chunkGroups } },
          }),
      // So that a page loads only what it uses of them; the demo's are of no use elsewhere.
      treeshake: { moduleSideEffects: [{ test: /\/src\/(domain|web\/demo)\//, sideEffects: false }] },
    },
  },
}));
