// @ts-check
// A backup, also while the site runs: becomes src/server/commands/backup.ts.
import { resolveFileArgument } from "./file-argument.mjs";
import { runBuilt } from "./install.mjs";

resolveFileArgument();
await runBuilt("backup");
