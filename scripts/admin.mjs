// @ts-check
// For an admin who is locked out: installs and builds like `npm start`, then becomes src/server/commands/admin.ts.
import { runBuilt } from "./install.mjs";

await runBuilt("admin");
