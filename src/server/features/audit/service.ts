/** What the rest of the server may call. */
export { exportAudit } from "./export.ts";
