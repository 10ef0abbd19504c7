// @ts-check
// Files from the disk to a bucket and back: installs and builds like `npm start`, then becomes src/server/commands/move-files.ts.
import { runBuilt } from "./install.mjs";

await runBuilt("move-files");
