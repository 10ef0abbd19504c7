// @ts-check
// New secrets for a stopped site: installs and builds like `npm start`, then becomes src/server/commands/renew-secrets.ts.
import { buildIfStale, installIfNeeded, projectDir } from "./install.mjs";

process.chdir(projectDir);
await installIfNeeded();
await buildIfStale("site");
await import(`${projectDir}/dist/server/renew-secrets.js`);
