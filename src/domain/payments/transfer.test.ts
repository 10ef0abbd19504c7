import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimals } from "../../../tests/support/decimals.ts";
import { decimal } from "../money.ts";
import { cryptoTypes, paymentMethod, type CryptoType } from "../payment-methods/methods.ts";
import { amountOwed, isPartOf, nothingToPay, transferOf, type Transfer } from "./transfer.ts";

const transfer = (crypto_type: CryptoType, amount_crypto: string): Transfer => ({
  crypto_type,
  amount_crypto,
  wallet_address: "somewhere",
});

/** PAY-11. */
describe("the transfer of a request", () => {
  it("returns method, amount and destination of a request", () => {
    const request = { ...transfer("bitcoin", "0.01"), status: "pending" };
    expect(transferOf(request)).toEqual(transfer("bitcoin", "0.01"));
  });

  it("returns no transfer where there is nothing to pay, or a part of it is missing", () => {
    expect(transferOf({ crypto_type: null, amount_crypto: null, wallet_address: null })).toBeUndefined();
    expect(nothingToPay).toBe("Nothing to pay");
    for (const missing of ["crypto_type", "amount_crypto", "wallet_address"]) {
      expect(transferOf({ ...transfer("bitcoin", "0.01"), [missing]: null })).toBeUndefined();
    }
  });
});

/** DECIDE-7. */
describe("what is still owed", () => {
  it.each([
    ["thai_bank", "10468.50", "10000", "468.50"],
    ["thai_bank", "10468.50", "0", "10468.50"],
    ["bitcoin", "0.00664667", "0.00664666", "0.00000001"],
    ["ethereum", "0.09970000", "0.05", "0.04970000"],
  ] as const)("computes for %s %s, of which %s has arrived, that %s is owed", (method, due, received, owed) => {
    expect(isPartOf(transfer(method, due), received)).toBe(true);
    expect(amountOwed(transfer(method, due), received)).toBe(owed);
  });

  it.each([
    ["all of it", "10468.50"],
    ["more", "10468.51"],
    ["a third decimal of baht", "1.001"],
    ["less than nothing", "-1"],
    ["a comma", "1,000.00"],
    ["an exponent", "1e2"],
    ["nothing at all", ""],
  ])("refuses %s as an amount received", (_what, received) => {
    expect(isPartOf(transfer("thai_bank", "10468.50"), received)).toBe(false);
  });

  it.each(cryptoTypes)("owes the amount minus what has arrived, more than zero: %s", (method) => {
    const { places } = paymentMethod(method);
    const amounts = decimals(places, 1_000_000);
    fc.assert(
      fc.property(amounts, amounts, (due, received) => {
        const paid = transfer(method, due);
        fc.pre(isPartOf(paid, received));
        const owed = decimal(amountOwed(paid, received));
        expect(owed.plus(received).eq(due)).toBe(true);
        expect(owed.gt(0)).toBe(true);
      }),
    );
  });
});
