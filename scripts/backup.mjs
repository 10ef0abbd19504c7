// @ts-check
// A backup, also while the site runs: installs and builds like `npm start`, then becomes src/server/commands/backup.ts.
import { fileArgument } from "./file-argument.mjs";
import { buildIfStale, installIfNeeded, projectDir } from "./install.mjs";

const [, , file] = process.argv;
if (file !== undefined) process.argv[2] = fileArgument(file);
process.chdir(projectDir);
await installIfNeeded();
await buildIfStale("site");
await import(`${projectDir}/dist/server/backup.js`);
