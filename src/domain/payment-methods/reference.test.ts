import { describe, expect, it } from "vitest";
import { ProductError } from "../errors/messages.ts";
import { paymentMethod } from "./methods.ts";
import { explorerLink, normaliseReference } from "./reference.ts";

const hash = "4A5E1E4BAAB89F3A32518A88C31BC87F618F76673E2CC77AB2127B7AFDEDA33B";
const lower = hash.toLowerCase();

describe("a transaction reference", () => {
  it("may be left out", () => {
    for (const text of [undefined, null, "", "   "]) expect(normaliseReference("bitcoin", text)).toBeNull();
  });

  it("is stored in one form", () => {
    expect(normaliseReference("bitcoin", ` ${hash}\n`)).toBe(lower);
    expect(normaliseReference("ethereum", `0X${hash}`)).toBe(`0x${lower}`);
    expect(normaliseReference("ethereum", hash)).toBe(`0x${lower}`);
    for (const text of ["2026AB1X", " 2026ab-1.x ", "2026 AB 1X", "2026/ab_1–x", "(2026)ab1x."])
      expect(normaliseReference("thai_bank", text)).toBe("2026AB1X");
    for (const text of [lower, `0x${lower}`]) {
      const method = text.startsWith("0x") ? "ethereum" : "bitcoin";
      expect(normaliseReference(method, normaliseReference(method, text))).toBe(text);
    }
  });

  it.each([
    ["bitcoin", `0x${lower}`],
    ["bitcoin", lower.slice(1)],
    ["bitcoin", `${lower}0`],
    ["bitcoin", lower.replace("4", "g")],
    ["ethereum", `0x${lower.slice(1)}`],
    ["ethereum", `0x${lower}0`],
    ["ethereum", `00x${lower}`],
    ["ethereum", `0x0x${lower}`],
    ["ethereum", `${lower.slice(0, 2)}0x${lower.slice(2)}`],
    ["thai_bank", "123"],
    ["thai_bank", "1".repeat(41)],
    ["thai_bank", "1-2-3"],
    ["thai_bank", "----"],
    ["thai_bank", "<script>"],
    ["thai_bank", "อ้างอิง"],
  ] as const)("of %s is refused when it looks like %s", (method, text) => {
    expect(() => normaliseReference(method, text)).toThrow(
      new ProductError("reference_invalid", { text: paymentMethod(method).reference.description }),
    );
  });

  it("leads to an explorer when it is a hash", () => {
    expect(explorerLink("bitcoin", lower)).toBe(`https://mempool.space/tx/${lower}`);
    expect(explorerLink("ethereum", `0x${lower}`)).toBe(`https://etherscan.io/tx/0x${lower}`);
    expect(explorerLink("thai_bank", "REF1234")).toBeUndefined();
    expect(explorerLink("bitcoin", "javascript:alert(1)")).toBeUndefined();
  });
});
