/** What other features may call. */
export { exportAudit } from "./export.ts";
