// @ts-check
// A backup into an empty site: installs and builds like `npm start`, then becomes src/server/commands/restore.ts.
import { resolve } from "node:path";
import { buildIfStale, installIfNeeded, projectDir } from "./install.mjs";

// npm runs this in the project's folder, and says where it was called.
const [, , file] = process.argv;
if (file !== undefined) process.argv[2] = resolve(process.env["INIT_CWD"] ?? "", file);
process.chdir(projectDir);
await installIfNeeded();
await buildIfStale("site");
await import(`${projectDir}/dist/server/restore.js`);
