// @ts-check
// A backup into an empty site: becomes src/server/commands/restore.ts.
import { resolveFileArgument } from "./file-argument.mjs";
import { runBuilt } from "./install.mjs";

resolveFileArgument();
await runBuilt("restore");
