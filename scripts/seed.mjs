// @ts-check
// A sample course: installs and builds like `npm start`, then becomes src/server/commands/seed.ts.
import { runBuilt } from "./install.mjs";

await runBuilt("seed");
