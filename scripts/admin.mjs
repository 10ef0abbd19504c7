// @ts-check
// For an admin who is locked out: installs and builds like `npm start`, then becomes src/server/commands/admin.ts.
import { buildIfStale, installIfNeeded, projectDir } from "./install.mjs";

process.chdir(projectDir);
await installIfNeeded();
await buildIfStale("site");
await import(`${projectDir}/dist/server/admin.js`);
