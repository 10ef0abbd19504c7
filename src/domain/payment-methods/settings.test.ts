import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { cryptoTypes, methodTexts } from "./methods.ts";
import { addressField } from "./settings-fields.ts";
import {
  changedDestinations,
  changedFields,
  coins,
  defaultWalletSettings,
  destinationFields,
  needsProof,
  priceFieldOf,
  priceNames,
  settingsField,
  settingsFields,
  settingsNames,
  type WalletSettings,
} from "./settings.ts";

describe("wallet settings", () => {
  it("start with the specified prices and nowhere to pay", () => {
    expect(defaultWalletSettings).toEqual({
      bitcoin_address: "",
      bitcoin_xpub: "",
      ethereum_address: "",
      bitcoin_price_usd: "45000",
      ethereum_price_usd: "3000",
      thai_bank_name: "",
      thai_bank_account_number: "",
      thai_bank_account_name: "",
      promptpay_id: "",
      alert_email: "",
    });
  });

  it("require the Ethereum address and the prices in the admin's form", () => {
    const fields = settingsNames.map((name) => {
      const { kind, label, isRequired, isDestination } = settingsField(name);
      return [name, kind, label, isRequired ? "required" : "optional", ...(isDestination ? ["destination"] : [])];
    });
    expect(fields).toEqual([
      ["bitcoin_address", "address", "Bitcoin address", "optional", "destination"],
      ["bitcoin_xpub", "key", "Bitcoin account key (xpub, ypub or zpub)", "optional", "destination"],
      ["bitcoin_price_usd", "price", "Bitcoin price (USD)", "required"],
      ["ethereum_address", "address", "Ethereum address", "required", "destination"],
      ["ethereum_price_usd", "price", "Ethereum price (USD)", "required"],
      ["thai_bank_name", "account", "Bank", "optional", "destination"],
      ["thai_bank_account_number", "account", "Account number", "optional", "destination"],
      ["thai_bank_account_name", "account", "Account name", "optional", "destination"],
      ["promptpay_id", "account", "PromptPay ID", "optional", "destination"],
      ["alert_email", "alert", "Alert email", "optional"],
    ]);
  });

  it("report a fault by the field's own code, which has a text", () => {
    const faults = [
      ["bitcoin_address", "x", "bitcoin_address_not_an_address"],
      ["bitcoin_xpub", "xprv9s21ZrQH143K", "bitcoin_xpub_private_key"],
      ["ethereum_address", "x", "ethereum_address_not_an_address"],
    ] as const;
    for (const [name, typed, code] of faults) {
      const { error } = z.safeParse(settingsField(name).input, typed);
      expect(error?.issues.map(({ message }) => message)).toEqual([code]);
      expect(methodTexts[code]).toMatch(/^This is .+\.$/);
    }
  });

  it("explains a key, a PromptPay ID and the alert email in whole sentences", () => {
    expect(settingsField("bitcoin_xpub").hint).toMatch(/^[A-Z].+ may stay empty\.$/);
    expect(settingsField("alert_email").hint).toMatch(/^[A-Z].+ undo them\.$/);
    expect(settingsField("promptpay_id").hint).toMatch(/^[A-Z].+ QR code\.$/);
  });

  it("find the price of a coin, and its own error when the service has none", () => {
    expect(priceFieldOf("bitcoin")).toMatchObject({ coin: "bitcoin", coinName: "Bitcoin", failed: "bitcoin_price_failed" });
    expect(priceFieldOf("ethereum")).toMatchObject({ coin: "ethereum", coinName: "Ethereum", failed: "ethereum_price_failed" });
    expect(priceNames).toEqual(["bitcoin_price_usd", "ethereum_price_usd"]);
  });

  it("names each coin as the method that is paid by it", () => {
    const methods: readonly string[] = cryptoTypes;
    expect(coins.filter((coin) => !methods.includes(coin))).toEqual([]);
  });

  it("treats the same destination in another spelling as unchanged", () => {
    const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    const before = { ...defaultWalletSettings, ethereum_address: address, promptpay_id: "0812345678" };
    const after = { ...before, ethereum_address: address.toLowerCase(), promptpay_id: "081-234-5678" };
    expect(changedDestinations(before, after)).toEqual([]);
    expect(changedDestinations(before, { ...after, promptpay_id: "0812345679" })).toEqual(["promptpay_id"]);
  });

  it.each([
    ["123-4-56789-0", "1234567890", true],
    ["123-4-56789-0", " 123 4 56789\u20130", true],
    ["123-4-56789-0", "123-4-56789-1", false],
    ["", "-", false],
    ["-", "--", false],
  ])("compares account numbers without blanks and dashes: %s and %s", (before, after, isSame) => {
    const withNumber = (thai_bank_account_number: string) => ({ ...defaultWalletSettings, thai_bank_account_number });
    const changed = isSame ? [] : ["thai_bank_account_number"];
    expect(changedDestinations(withNumber(before), withNumber(after))).toEqual(changed);
    const withBank = (thai_bank_name: string) => ({ ...defaultWalletSettings, thai_bank_name });
    expect(changedDestinations(withBank("Bank A"), withBank("Bank-A"))).toEqual(["thai_bank_name"]);
  });

  it("reports changed destinations, not changed prices", () => {
    const after = { ...defaultWalletSettings, bitcoin_price_usd: "1", bitcoin_address: "bc1q", thai_bank_account_name: "A" };
    expect(changedDestinations(defaultWalletSettings, after)).toEqual(["bitcoin_address", "thai_bank_account_name"]);
    expect(changedDestinations(after, after)).toEqual([]);
  });
});

describe("changed fields", () => {
  const changed = (changes: Partial<WalletSettings>) =>
    changedFields(defaultWalletSettings, { ...defaultWalletSettings, ...changes });

  it("include prices and the alert address, unless only their notation differs", () => {
    expect(changed({ bitcoin_price_usd: "45000.00", alert_email: " " })).toEqual([]);
    expect(changed({ bitcoin_price_usd: "45000.01", alert_email: "A@example.com" })).toEqual([
      "bitcoin_price_usd",
      "alert_email",
    ]);
  });

  // WALLET-2
  it("need a proof unless they are prices", () => {
    expect(needsProof(changed({ bitcoin_price_usd: "1" }))).toBe(false);
    expect(needsProof(changed({ alert_email: "a@example.com" }))).toBe(true);
    expect(needsProof(changed({ bitcoin_price_usd: "1", promptpay_id: "0812345678" }))).toBe(true);
  });

  it("have the fields of each method for themselves", () => {
    expect(destinationFields("bitcoin")).toContain("bitcoin_address");
    expect(destinationFields("ethereum")).toEqual(["ethereum_address"]);
    expect(destinationFields("thai_bank")).toHaveLength(4);
  });
});

describe("the alert address", () => {
  it.each(["a@example.com\r\nBcc: b@example.com", "a b@example.com", "a@example.com,b@example.com", "<a@example.com>", "a@"])(
    "refuses what is not one address: %j",
    (typed) =>
      expect(z.safeParse(settingsFields.alert_email.input, typed).error?.issues[0]?.message).toBe("alert_email_invalid"),
  );

  it("is stored in lower case, and may be empty", () => {
    expect(z.parse(settingsFields.alert_email.input, " Owner@Example.com ")).toBe("owner@example.com");
    expect([z.parse(settingsFields.alert_email.input, ""), z.parse(settingsFields.alert_email.input, undefined)]).toEqual([
      "",
      "",
    ]);
  });
});

describe("an address field", () => {
  const check = (text: string) => (text === "good" ? ({ address: "GOOD" } as const) : ({ fault: "bad" } as const));
  const issuesOf = (field: { input: z.ZodMiniType }, text: unknown) =>
    z.safeParse(field.input, text).error?.issues.map(({ message }) => message);

  it("stores the normal form and reports the fault under its prefix", () => {
    expect(z.parse(addressField("A", check, "a").input, " good ")).toBe("GOOD");
    expect(issuesOf(addressField("A", check, "a"), "other")).toEqual(["a_bad"]);
    expect(addressField("A", check, "a")).toMatchObject({ kind: "address", label: "A", initial: "", isDestination: true });
  });

  it("names the fault of an address by its coin", () => {
    expect(issuesOf(settingsFields.bitcoin_address, "x")).toEqual(["bitcoin_address_not_an_address"]);
    expect(issuesOf(settingsFields.ethereum_address, "x")).toEqual(["ethereum_address_not_an_address"]);
  });

  it("accepts an empty or missing address only where it is optional", () => {
    expect(issuesOf(addressField("A", check, "a"), "")).toEqual(["address_missing"]);
    const optional = addressField("A", check, "a", false);
    expect([z.parse(optional.input, ""), z.parse(optional.input, undefined)]).toEqual(["", ""]);
    expect(issuesOf(optional, "other")).toEqual(["a_bad"]);
  });
});

describe("a bank account's field", () => {
  const parse = (name: "thai_bank_name" | "promptpay_id", text: unknown) => z.safeParse(settingsFields[name].input, text);
  const issuesOf = (name: "thai_bank_name" | "promptpay_id", text: unknown) =>
    parse(name, text).error?.issues.map(({ message }) => message);

  it("accepts an empty or missing bank account field", () => {
    for (const name of ["thai_bank_name", "promptpay_id"] as const) {
      expect([parse(name, "").data, parse(name, undefined).data, parse(name, "  ").data]).toEqual(["", "", ""]);
    }
  });

  it("limits a bank account field to one line and its length", () => {
    expect(parse("thai_bank_name", ` ${"x".repeat(100)} `).data).toBe("x".repeat(100));
    expect(issuesOf("thai_bank_name", "x".repeat(101))).toEqual(["text_too_long"]);
    expect(issuesOf("thai_bank_name", "two\nlines")).toEqual(["text_invisible"]);
  });

  it("normalises a PromptPay ID and refuses a malformed one", () => {
    expect(parse("promptpay_id", " 081-234-5678 ").data).toBe("0812345678");
    expect(issuesOf("promptpay_id", "12345")).toEqual(["promptpay_id_invalid"]);
  });
});
