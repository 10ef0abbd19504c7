// @ts-check
// Installs if needed, builds if stale, then becomes the server (which migrates).
import { buildIfStale, installIfNeeded, projectDir } from "./install.mjs";

process.chdir(projectDir);
await installIfNeeded();
await buildIfStale("site");
await import(`${projectDir}/dist/server/main.js`);
