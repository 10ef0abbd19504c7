/** What other features may call. */
export { giveBitcoinAddress, requireUsableKey } from "./give.ts";
export { countUnused, findAllOfKey } from "./queries.ts";
