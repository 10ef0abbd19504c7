// @ts-check
// From a fresh clone to a served site: installs if needed, builds if stale, then becomes the server (which migrates).
import { buildIfStale, installIfNeeded, projectDir, refuseOldNode } from "./install.mjs";

process.chdir(projectDir);
refuseOldNode();
installIfNeeded();
buildIfStale("site");
await import(`${projectDir}/dist/server/main.js`);
