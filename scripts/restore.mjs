// @ts-check
// A backup into an empty site: installs and builds like `npm start`, then becomes src/server/commands/restore.ts.
import { fileArgument } from "./file-argument.mjs";
import { buildIfStale, installIfNeeded, projectDir } from "./install.mjs";

const [, , file] = process.argv;
if (file !== undefined) process.argv[2] = fileArgument(file);
process.chdir(projectDir);
await installIfNeeded();
await buildIfStale("site");
await import(`${projectDir}/dist/server/restore.js`);
