/** Returns a transaction's or a block's id of Ethereum that ends with a number. */
export const hash = (number: number): string => `0x${number.toString(16).padStart(64, "0")}`;
