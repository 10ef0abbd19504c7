/** What other features may call. */
export { giveBitcoinAddress, requireUsableKey } from "./give.ts";
export { countUnused, existsAddress, findAllOfKey } from "./queries.ts";
export { findFreeAddresses, type FreeAddressParts } from "./reuse.ts";
