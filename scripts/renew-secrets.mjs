// @ts-check
// New secrets for a stopped site: becomes src/server/commands/renew-secrets.ts.
import { runBuilt } from "./install.mjs";

await runBuilt("renew-secrets");
