/** What other features may call. */
export { currentSettings } from "./current.ts";
