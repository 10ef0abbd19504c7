import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bankName } from "./banks.ts";
import { crc16 } from "./promptpay.ts";
import { parseSlipCode } from "./slip-code.ts";

// SLIP-1
/** Codes of slips as makers of slip readers publish them, and the example of Siam Commercial Bank's checksum without its zero. */
const published: [payload: string, bank: string, reference: string][] = [
  ["0041000600000101030040220016218195650BPP038575102TH9104554A", "004", "016218195650BPP03857"],
  ["0041000600000101030040220015218185151CTF001705102TH910436A7", "004", "015218185151CTF00170"],
  ["0046000600000101030140225202212315HrxrtS8e9LSq4xIR5102TH91048BAE", "014", "202212315HrxrtS8e9LSq4xIR"],
  ["0046000600000101030250225KSA00000000951560434407ac5102TH9104F69B", "025", "KSA00000000951560434407ac"],
  ["004600060000010103002022520250816210339240054672085102TH9104D5EB", "002", "2025081621033924005467208"],
  ["0039000600000101030690218TR02210131120044825102TH91043284", "069", "TR0221013112004482"],
  ["004100060000010103014022000111222233344ABCD125102TH910417DF", "014", "00111222233344ABCD12"],
  ["00480002010102010203P2P0313TXN00012345670408250120249104b425", "truemoney", "TXN0001234567"],
];

const digit = fc.constantFrom(...Array.from("0123456789"));
const letterOrDigit = fc.constantFrom(...Array.from("0123456789ABCXYZabcxyz"));
const bank = fc.string({ unit: digit, minLength: 3, maxLength: 3 });
const reference = fc.string({ unit: letterOrDigit, minLength: 4, maxLength: 30 });
const date = fc.string({ unit: digit, minLength: 8, maxLength: 8 });

const field = (id: string, value: string): string => id + String(value.length).padStart(2, "0") + value;
const withChecksum = (open: string): string => `${open}9104${hex(open)}`;
const hex = (open: string): string => crc16(`${open}9104`).toString(16).toUpperCase().padStart(4, "0");
const openBankCode = (code: string, text: string): string =>
  field("00", field("00", "000001") + field("01", code) + field("02", text)) + field("51", "TH");
const openWalletCode = (text: string, day: string): string =>
  field("00", field("00", "01") + field("01", "01") + field("02", "P2P") + field("03", text) + field("04", day));

/** A wallet's code whose fields are these instead; an empty one is left out. */
const walletFields = (changes: Record<string, string>): string => {
  const fields = { "00": "01", "01": "01", "02": "P2P", "03": "TXN0001234567", "04": "25012024", ...changes };
  const ids = ["00", "01", "02", "03", "04"] as const;
  return field("00", ids.map((id) => (fields[id] === "" ? "" : field(id, fields[id]))).join(""));
};

describe("a slip's code", () => {
  it.each(published)("is read as published: %s", (payload, sending_bank, text) => {
    expect(parseSlipCode(payload)).toEqual({ sending_bank, reference: text });
  });

  it("is read for any bank, reference and date, in both variants", () => {
    fc.assert(
      fc.property(bank, reference, date, (sending_bank, text, day) => {
        expect(parseSlipCode(withChecksum(openBankCode(sending_bank, text)))).toEqual({ sending_bank, reference: text });
        const wallet = withChecksum(openWalletCode(text, day));
        const lowerCase = wallet.slice(0, -4) + wallet.slice(-4).toLowerCase();
        expect(parseSlipCode(lowerCase)).toEqual({ sending_bank: "truemoney", reference: text });
      }),
    );
  });

  it("may leave out leading zeros of its checksum, with or without the shorter length", () => {
    fc.assert(
      fc.property(bank, reference, (sending_bank, text) => {
        const open = openBankCode(sending_bank, text);
        fc.pre(hex(open).startsWith("0"));
        const short = hex(open).replace(/^0+(?=.)/, "");
        for (const end of [`9104${short}`, `910${short.length}${short}`, `9104${hex(open)}`]) {
          expect(parseSlipCode(open + end), end).toEqual({ sending_bank, reference: text });
        }
        expect(parseSlipCode(`${open}9103${hex(open)}`)).toBeUndefined();
        if (hex(open).startsWith("00")) expect(parseSlipCode(`${open}9104${hex(open).slice(1)}`)).toBeUndefined();
      }),
    );
  });

  it("is read where its checksum is zero, of which one zero may be left", () => {
    const open = openBankCode("460", "8zab1792x");
    expect(hex(open)).toBe("0000");
    for (const end of ["91040", "91010", "91040000"]) {
      expect(parseSlipCode(open + end), end).toEqual({ sending_bank: "460", reference: "8zab1792x" });
    }
    for (const end of ["9104", "910400", "910200"]) expect(parseSlipCode(open + end), end).toBeUndefined();
  });

  it("is not read with one character changed", () => {
    fc.assert(
      fc.property(bank, reference, fc.nat(), letterOrDigit, (sending_bank, text, at, character) => {
        const payload = withChecksum(openBankCode(sending_bank, text));
        const place = at % payload.length;
        // In another case, a digit of the checksum has the same value.
        fc.pre(payload[place]?.toLowerCase() !== character.toLowerCase());
        expect(parseSlipCode(payload.slice(0, place) + character + payload.slice(place + 1))).toBeUndefined();
      }),
      { numRuns: 2000 },
    );
  });

  it("is not read with any other checksum", () => {
    const open = openBankCode("014", "202212315HrxrtS8e9LSq4xIR");
    for (let checksum = 0; checksum < 0x10000; checksum += 1) {
      const digits = checksum.toString(16).toUpperCase().padStart(4, "0");
      expect(parseSlipCode(`${open}9104${digits}`) !== undefined, digits).toBe(digits === hex(open));
    }
  });

  it("is read as a wallet's with the fields that it has", () => {
    const read = { sending_bank: "truemoney", reference: "TXN0001234567" };
    expect(parseSlipCode(withChecksum(walletFields({})))).toEqual(read);
  });

  it("is not found in other texts", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: "grapheme" }), reference), (text) => {
        expect(parseSlipCode(text)).toBeUndefined();
        expect(parseSlipCode(withChecksum(text))).toBeUndefined();
      }),
    );
  });

  it.each([
    ["a PromptPay code", withChecksum("00020101021129370016A000000677010111011300668012345675802TH5303764")],
    ["a link", "https://example.com/slip?ref=016218195650BPP03857"],
    ["another API", withChecksum(openBankCode("014", "ABC123").replace("000001", "000002"))],
    [
      "another country",
      withChecksum(field("00", field("00", "000001") + field("01", "014") + field("02", "ABC123")) + "5102SG"),
    ],
    ["no country", withChecksum(field("00", field("00", "000001") + field("01", "014") + field("02", "ABC123")))],
    ["a bank that is no number", withChecksum(openBankCode("01X", "ABC123"))],
    ["a bank of four digits", withChecksum(openBankCode("0014", "ABC123"))],
    ["a bank of a letter and digits", withChecksum(openBankCode("014X", "ABC123"))],
    ["a bank of two digits", withChecksum(openBankCode("14", "ABC123"))],
    ["no reference", withChecksum(field("00", field("00", "000001") + field("01", "014")) + "5102TH")],
    ["a reference of signs alone", withChecksum(openBankCode("014", "----"))],
    ["a reference with a space", withChecksum(openBankCode("014", "ABC 123"))],
    ["the same field twice", withChecksum(`${openBankCode("014", "ABC123")}5102TH`)],
    ["something else behind its fields", withChecksum(`${openBankCode("014", "ABC123")}zzzz`)],
    ["an empty field behind the others", withChecksum(`${openBankCode("014", "ABC123")}6200`)],
    ["a field that is cut short", withChecksum(`${openBankCode("014", "ABC123")}6250AB`)],
    ["a field after the checksum", `${withChecksum(openBankCode("014", "ABC123"))}5102TH`],
    ["a wallet's date that is none", withChecksum(openWalletCode("TXN0001234567", "2501202X"))],
    ["a wallet's with a country", withChecksum(`${walletFields({})}5102TH`)],
    ["a wallet's with another first field", withChecksum(walletFields({ "00": "02" }))],
    ["a wallet's with another second field", withChecksum(walletFields({ "01": "02" }))],
    ["a wallet's without its event", withChecksum(walletFields({ "02": "" }))],
    ["a wallet's without its reference", withChecksum(walletFields({ "03": "" }))],
    ["a wallet's without its date", withChecksum(walletFields({ "04": "" }))],
    ["a wallet's with a longer date", withChecksum(walletFields({ "04": "250120245" }))],
    ["a wallet's with a letter before its date", withChecksum(walletFields({ "04": "x25012024" }))],
    ["a line break at the end", `${withChecksum(openBankCode("014", "ABC123"))}\n`],
    ["a longer text", withChecksum(openBankCode("014", "ABC123") + field("62", "A".repeat(99)) + field("63", "A".repeat(60)))],
    ["a text with another letter", withChecksum(openBankCode("014", "ABC123") + field("62", "é"))],
  ])("is not %s", (_what, payload) => {
    expect(parseSlipCode(payload)).toBeUndefined();
  });
});

it("names banks by their codes, and an unknown one by its code", () => {
  expect(["014", "truemoney", "999"].map(bankName)).toEqual([
    "Siam Commercial Bank",
    "TrueMoney Wallet",
    "the bank with code 999",
  ]);
});
