// @ts-check
// A sample course, also while the site runs: becomes src/server/commands/seed.ts.
import { runBuilt } from "./install.mjs";

await runBuilt("seed");
