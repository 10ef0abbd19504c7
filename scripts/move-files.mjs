// @ts-check
// Files from the disk to a bucket and back: becomes src/server/commands/move-files.ts.
import { runBuilt } from "./install.mjs";

await runBuilt("move-files");
