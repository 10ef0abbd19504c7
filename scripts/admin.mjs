// @ts-check
// For an admin who is locked out: becomes src/server/commands/admin.ts.
import { runBuilt } from "./install.mjs";

await runBuilt("admin");
