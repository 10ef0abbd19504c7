// @ts-check
// A sample course: installs and builds like `npm start`, then becomes src/server/commands/seed.ts.
import { buildIfStale, installIfNeeded, projectDir } from "./install.mjs";

process.chdir(projectDir);
await installIfNeeded();
await buildIfStale("site");
await import(`${projectDir}/dist/server/seed.js`);
