import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { smallestUnits } from "../money.ts";
import { bitcoinLink } from "./bitcoin/method.ts";
import { ethereumLink } from "./ethereum/method.ts";
import { paymentCode } from "./methods.ts";

const bitcoin = "175tWpb8K1S7NmH4Zx6rewF9WQrcZv245W";
const ethereum = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

/** `123` in 8 decimals is `0.00000123`. */
function eightDecimals(units: bigint): string {
  const text = units.toString().padStart(9, "0");
  return `${text.slice(0, -8)}.${text.slice(-8)}`;
}
const units = fc.bigInt({ min: 1n, max: 21_000_000n * 10n ** 8n });

describe("a Bitcoin link", () => {
  it("matches the example of BIP 21", () => {
    expect(bitcoinLink(bitcoin, "20.3", "Luke-Jr")).toBe(`bitcoin:${bitcoin}?amount=20.3&label=Luke-Jr`);
    expect(bitcoinLink(bitcoin, "50.00000000", "Luke-Jr")).toBe(`bitcoin:${bitcoin}?amount=50&label=Luke-Jr`);
  });

  it("writes a segwit address in lower case and a label so that nothing can follow it", () => {
    expect(bitcoinLink("BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "1", "A & B?amount=2")).toBe(
      "bitcoin:bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4?amount=1&label=A%20%26%20B%3Famount%3D2",
    );
    expect(bitcoinLink(bitcoin, "1", "")).toBe(`bitcoin:${bitcoin}?amount=1`);
  });

  it("keeps the letter case of an older address, also of one with bc1 inside", () => {
    expect(bitcoinLink("1Abc1XyZ", "1")).toBe("bitcoin:1Abc1XyZ?amount=1");
  });

  it("loses no satoshi", () => {
    fc.assert(
      fc.property(units, (satoshi) => {
        const url = new URL(bitcoinLink(bitcoin, eightDecimals(satoshi), "Course"));
        const amount = url.searchParams.get("amount") ?? "";
        expect(url.pathname).toBe(bitcoin);
        expect(amount).toMatch(/^\d+(\.\d{1,8})?$/);
        const [whole = "", part = ""] = amount.split(".");
        expect(BigInt(whole + part.padEnd(8, "0"))).toBe(satoshi);
      }),
    );
  });
});

describe("an Ethereum link", () => {
  it("asks for the value of EIP-681's example, in whole wei on the main network", () => {
    const example = new URL("ethereum:0xfb6916095ca1df60bb79Ce92ce3ea74c37c5d359?value=2.014e18");
    const ours = new URL(ethereumLink("0xfb6916095ca1df60bB79Ce92cE3Ea74c37c5d359", "2.014"));
    expect(ours.href).toBe("ethereum:0xfb6916095ca1df60bB79Ce92cE3Ea74c37c5d359@1?value=2014000000000000000");
    expect(Number(ours.searchParams.get("value"))).toBe(Number(example.searchParams.get("value")));
  });

  it("loses no wei", () => {
    fc.assert(
      fc.property(units, (part) => {
        const value = new URL(ethereumLink(ethereum, eightDecimals(part))).searchParams.get("value") ?? "";
        expect(BigInt(value)).toBe(part * 10n ** 10n);
      }),
    );
  });
});

it("smallest units are exact or refused", () => {
  expect(smallestUnits("0.00664667", 8)).toBe("664667");
  expect(smallestUnits("10468.50", 2)).toBe("1046850");
  expect(smallestUnits("123456789.123456789012345678", 18)).toBe("123456789123456789012345678");
  expect(() => smallestUnits("0.001", 2)).toThrow(new RangeError("0.001 has more than 2 decimals."));
});

describe("the QR code of a method", () => {
  const method = { available: true, wallet_address: ethereum, amount_crypto: "0.09970000" };
  const account = { name: "Bank", account_number: "1", account_name: "Owner" };
  const bank = { crypto_type: "thai_bank" as const, available: true, wallet_address: "Bank 1", amount_crypto: "10468.50" };

  it("says what its link says; a bank's has no link", () => {
    const link = `ethereum:${ethereum}@1?value=99700000000000000`;
    expect(paymentCode({ ...method, crypto_type: "ethereum" }, "Course")).toEqual({ text: link, link });
    const bitcoinCode = paymentCode({ ...method, crypto_type: "bitcoin", wallet_address: bitcoin }, "Course");
    expect(bitcoinCode?.link).toBe(`bitcoin:${bitcoin}?amount=0.0997&label=Course`);
    expect(bitcoinCode?.text).toBe(bitcoinCode?.link);
    const code = paymentCode({ ...bank, bank: { ...account, promptpay_id: "0801234567" } }, "Course");
    expect(code?.text).toContain("540810468.50");
    expect(code?.link).toBeUndefined();
  });

  it("is missing where nothing is due, without a destination and without PromptPay", () => {
    expect(paymentCode({ ...method, crypto_type: "bitcoin", amount_crypto: "0.00000000" }, "")).toBeUndefined();
    expect(paymentCode({ ...method, crypto_type: "bitcoin", available: false, wallet_address: "" }, "")).toBeUndefined();
    expect(paymentCode({ ...bank, bank: { ...account, promptpay_id: "" } }, "")).toBeUndefined();
    expect(paymentCode(bank, "")).toBeUndefined();
  });
});
