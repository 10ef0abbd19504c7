/** What the rest of the server may call. */
export { giveBitcoinAddress, requireUsableKey } from "./give.ts";
export { countUnused, findAllGiven, findAllOfKey } from "./queries.ts";
export { findFreeAddresses, type FreeAddressParts } from "./reuse.ts";
