import { expect, test } from "vitest";
import { defaultWalletSettings } from "#domain/payment-methods/settings";
import { changedValues, differingPart } from "./changed-values.ts";

const marked = (text: string, other: string): string => {
  const { start, end } = differingPart(text, other);
  return `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`;
};

// WALLET-6
test.each([
  ["bc1qabcdefxyz", "bc1qabQQefxyz", "bc1qab[cd]efxyz"],
  ["0x12", "0x1234", "0x12[]"],
  ["0x1234", "0x12", "0x12[34]"],
  ["aaa", "aa", "aa[a]"],
  ["", "new", "[]"],
  ["new", "", "[new]"],
])("marks what differs in %s from %s", (text, other, expected) => expect(marked(text, other)).toBe(expected));

test("lists the fields that saving would change, ignoring an address's capitals", () => {
  const saved = {
    ...defaultWalletSettings,
    unique_amounts: false,
    ethereum_address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  };
  const wanted = { ...saved, ethereum_address: saved.ethereum_address.toLowerCase(), bitcoin_price_usd: "45000.00" };
  expect(changedValues(saved, wanted)).toEqual([]);
  expect(changedValues(saved, { ...wanted, bitcoin_price_usd: "46000", unique_amounts: true })).toEqual([
    { label: expect.stringContaining("Bitcoin"), before: "45,000", after: "46,000" },
    { label: "Last digits of its own for each payment", before: "Off", after: "On" },
  ]);
});
