import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decimals } from "../../../tests/support/domain/decimals.ts";
import { decimal } from "../money.ts";
import { cryptoTypes, paymentMethod, type CryptoType } from "../payment-methods/methods.ts";
import { defaultWalletSettings } from "../payment-methods/settings.ts";
import {
  amountOwed,
  hasArrived,
  isAmountOf,
  isOtherAmount,
  isPartOf,
  leavesRest,
  nothingToPay,
  restToPay,
  transferOf,
  type Transfer,
} from "./transfer.ts";

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

/** PART-1. */
describe("the amount received of an approved payment", () => {
  it.each([
    ["0", true],
    ["10468.50", false],
    ["10468.5", false],
    ["10468.51", true],
    ["99999999", true],
  ])("is %s, another than the amount due: %s", (received, isOther) => {
    expect(isAmountOf(transfer("thai_bank", "10468.50"), received)).toBe(true);
    expect(isOtherAmount(transfer("thai_bank", "10468.50"), received)).toBe(isOther);
  });

  it.each(["1.001", "-1", "1,000.00", "1e2", "", "1".repeat(16)])("refuses %j", (received) => {
    expect(isAmountOf(transfer("thai_bank", "10468.50"), received)).toBe(false);
  });
});

/** DECIDE-7. */
it.each([
  ["0.00000001", true],
  ["0.00000000", false],
  ["0", false],
  [null, false],
])("says of %s received that money has arrived: %s", (received, expected) => {
  expect(hasArrived(received)).toBe(expected);
});

/** PART-3, PART-4. */
describe("the rest of a payment", () => {
  const saved = { ...defaultWalletSettings, bitcoin_address: "bc1new" };
  const settings = { ...saved, saved, given_addresses: new Set(["bc1given"]) };

  it.each([
    ["0", false],
    ["0.00000000", false],
    ["0.00000001", true],
    ["0.00999999", true],
    ["0.01", false],
  ])("is left after %s of 0.01: %s", (received, isLeft) => {
    expect(leavesRest(transfer("bitcoin", "0.01"), received)).toBe(isLeft);
  });

  it("goes to the payment's own destination while the settings have it", () => {
    const own = { ...transfer("bitcoin", "0.01"), wallet_address: "bc1new" };
    const rest = { crypto_type: "bitcoin", available: true, amount_crypto: "0.00400000", wallet_address: "bc1new" };
    expect(restToPay(own, { received: "0.006", told: [] }, settings)).toEqual(rest);
    expect(restToPay({ ...own, wallet_address: "bc1given" }, { received: "0.006", told: [] }, settings)).toEqual({
      ...rest,
      wallet_address: "bc1given",
    });
    expect(restToPay({ ...own, wallet_address: "bc1old" }, { received: "0.006", told: [] }, settings)).toEqual(rest);
  });

  it("goes where the student was told last, once the payment's own one is old", () => {
    const old = { ...transfer("bitcoin", "0.01"), wallet_address: "bc1old" };
    const goesTo = (told: string[]): string => restToPay(old, { received: "0.006", told }, settings).wallet_address;
    expect(goesTo(["bc1thief", "bc1given", "bc1gone"])).toBe("bc1given");
    expect(goesTo(["bc1gone"])).toBe("bc1new");
  });

  it("names the bank where the rest goes to one", () => {
    const bank = {
      thai_bank_name: "Kasikornbank",
      thai_bank_account_number: "123-4-56789-0",
      thai_bank_account_name: "Somchai",
    };
    const rest = restToPay(transfer("thai_bank", "100"), { received: "40.5", told: [] }, { ...settings, ...bank });
    expect(rest).toMatchObject({ available: true, amount_crypto: "59.50", wallet_address: "Kasikornbank 123-4-56789-0" });
    expect(rest.bank).toMatchObject({ name: "Kasikornbank", account_number: "123-4-56789-0", account_name: "Somchai" });
  });

  // GUARD-5
  it.each(["A", "B"])("names the bank of its own account while another one waits: %s", (own) => {
    const accountOf = (name: string) => ({ ...saved, thai_bank_name: name, thai_bank_account_number: "1", promptpay_id: name });
    const waiting = { ...accountOf("B"), saved: accountOf("A"), given_addresses: new Set<string>() };
    const paid = { ...transfer("thai_bank", "100"), wallet_address: `${own} 1` };
    const rest = restToPay(paid, { received: "40.5", told: [] }, waiting);
    expect(rest).toMatchObject({ wallet_address: `${own} 1`, bank: { name: own, promptpay_id: own } });
  });

  it("names the bank of an account whose number is written in another way since", () => {
    const accountOf = (name: string, number: string) => ({
      ...saved,
      thai_bank_name: name,
      thai_bank_account_number: number,
      thai_bank_account_name: name,
    });
    const present = { ...accountOf("B", "1"), saved: accountOf("A", "12-3"), given_addresses: new Set<string>() };
    const rest = restToPay(
      { ...transfer("thai_bank", "100"), wallet_address: "A 123" },
      { received: "40.5", told: [] },
      present,
    );
    expect(rest).toMatchObject({ wallet_address: "A 123", bank: { account_number: "12-3", account_name: "A" } });
  });

  it("has no destination while the settings have none", () => {
    const rest = restToPay(transfer("ethereum", "1"), { received: "0.5", told: [] }, settings);
    expect(rest).toMatchObject({ available: false, wallet_address: "", amount_crypto: "0.50000000" });
  });

  it.each(cryptoTypes)("adds up to the amount due with all parts, whatever arrives: %s", (method) => {
    const { places } = paymentMethod(method);
    fc.assert(
      fc.property(decimals(places, 1_000_000), fc.array(decimals(places, 1_000_000), { maxLength: 6 }), (due, arriving) => {
        let received = decimal("0");
        for (const amount of arriving) {
          const total = received.plus(amount).toFixed();
          if (!leavesRest(transfer(method, due), total)) continue;
          received = received.plus(amount);
          const { amount_crypto } = restToPay(transfer(method, due), { received: total, told: [] }, settings);
          expect(decimal(amount_crypto).plus(received).eq(due)).toBe(true);
          expect(decimal(amount_crypto).gt(0)).toBe(true);
          expect(amount_crypto).toMatch(new RegExp(`\\.\\d{${places}}$`));
        }
      }),
    );
  });
});
