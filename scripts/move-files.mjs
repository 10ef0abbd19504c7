// @ts-check
// Files from the disk to a bucket and back: installs and builds like `npm start`, then becomes src/server/commands/move-files.ts.
import { buildIfStale, installIfNeeded, projectDir } from "./install.mjs";

process.chdir(projectDir);
await installIfNeeded();
await buildIfStale("site");
await import(`${projectDir}/dist/server/move-files.js`);
