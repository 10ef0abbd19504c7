// @ts-check
// New secrets for a stopped site: installs and builds like `npm start`, then becomes src/server/commands/renew-secrets.ts.
import { runBuilt } from "./install.mjs";

await runBuilt("renew-secrets");
