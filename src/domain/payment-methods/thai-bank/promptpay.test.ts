import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc16, normalisePromptPayId, promptPayPayload } from "./promptpay.ts";

describe("the checksum", () => {
  it("is CRC-16/CCITT-FALSE by its check value", () => {
    expect(crc16("123456789")).toBe(0x29b1);
    expect(crc16("")).toBe(0xffff);
  });

  it("agrees with the EMV specification's own example", () => {
    const text =
      "00020101021229300012D156000000000510A93FO3230Q31280012D15600000001030812345678520441115802CN5914BEST TRANSPORT6007BEIJING" +
      "64200002ZH0104最佳运输0202北京540523.7253031565502016233030412340603***0708A60086670902ME91320016A011223344998877070812345678" +
      "6304";
    // The specification counts the bytes of UTF-8.
    const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join("");
    expect(crc16(bytes).toString(16).toUpperCase()).toBe("A13A");
  });
});

/** Codes that Thai banks' apps read, as other makers of them publish. */
const known: [what: string, id: string, amount: string | undefined, payload: string][] = [
  ["a mobile number", "0801234567", undefined, "00020101021129370016A000000677010111011300668012345675802TH530376463046197"],
  [
    "a mobile number with dashes",
    "080-123-4567",
    undefined,
    "00020101021129370016A000000677010111011300668012345675802TH530376463046197",
  ],
  [
    "a number from abroad",
    "+66-89-123-4567",
    undefined,
    "00020101021129370016A000000677010111011300668912345675802TH5303764630429C1",
  ],
  [
    "a national ID",
    "1-1111-11111-11-1",
    undefined,
    "00020101021129370016A000000677010111021311111111111115802TH530376463047B5A",
  ],
  ["a tax ID", "0123456789012", undefined, "00020101021129370016A000000677010111021301234567890125802TH530376463040CBD"],
  ["an e-wallet", "012345678901234", undefined, "00020101021129390016A00000067701011103150123456789012345802TH530376463049781"],
  ["an e-wallet", "004999000288505", undefined, "00020101021129390016A00000067701011103150049990002885055802TH530376463041521"],
  ["an amount", "000-000-0000", "4.22", "00020101021229370016A000000677010111011300660000000005802TH530376454044.226304E469"],
  [
    "an amount",
    "1234567890123",
    "420.00",
    "00020101021229370016A000000677010111021312345678901235802TH53037645406420.006304BF7B",
  ],
];

describe("a PromptPay code", () => {
  it.each(known)("for %s is the known one: %s", (_what, id, amount, payload) => {
    expect(promptPayPayload(normalisePromptPayId(id) ?? "", amount)).toBe(payload);
  });

  it("returns receiver and satang for any amount a course may cost", () => {
    const ids = fc.oneof(
      digits(9).map((rest) => `0${rest}`),
      digits(13),
      digits(15),
    );
    fc.assert(
      fc.property(ids, fc.integer({ min: 1, max: 10 ** 12 - 1 }), (id, satang) => {
        const amount = `${Math.floor(satang / 100)}.${String(satang % 100).padStart(2, "0")}`;
        const payload = promptPayPayload(id, amount);
        const fields = read(payload.slice(0, -8));
        expect(fields["54"]).toBe(amount);
        expect(Math.round(Number(fields["54"]) * 100)).toBe(satang);
        const receiver = read(fields["29"] ?? "");
        const shown = receiver["01"]?.replace(/^0066/, "0") ?? receiver["02"] ?? receiver["03"];
        expect(shown).toBe(id);
        expect(crc16(payload.slice(0, -4))).toBe(Number.parseInt(payload.slice(-4), 16));
      }),
    );
  });

  it("is not made from an amount or an ID that no code can carry", () => {
    for (const amount of ["1", "1.5", "1.234", "-1.00", "1e3", "12345678901.00"]) {
      const error = new RangeError(`Not an amount of baht: ${amount}`);
      expect(() => promptPayPayload("0801234567", amount), amount).toThrow(error);
    }
    expect(() => promptPayPayload("080123")).toThrow(new RangeError("Not a normalised PromptPay ID."));
  });
});

describe("a PromptPay ID", () => {
  it("is written in one way", () => {
    for (const typed of [
      "0812345678",
      "081-234-5678",
      " 081 234 5678",
      "+66812345678",
      "+66 81 234 5678",
      "66812345678",
      "0066 81 234 5678",
      "0066812345678",
    ]) {
      expect(normalisePromptPayId(typed), typed).toBe("0812345678");
    }
  });

  it("keeps a national ID with 66 at its beginning or inside as it is", () => {
    for (const typed of ["6612345678901", "1266812345678", "0066812345", "006681234567890"])
      expect(normalisePromptPayId(typed)).toBe(typed);
  });

  it("is nothing else than a mobile number, a national or tax ID or an e-wallet", () => {
    for (const typed of [
      "",
      "812345678",
      "08123456789",
      "12345678901234",
      "081234567x",
      "１２３４５６７８９０１２３",
      "1234567890",
    ]) {
      expect(normalisePromptPayId(typed), typed).toBeUndefined();
    }
  });
});

function digits(count: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...Array.from("0123456789")), minLength: count, maxLength: count });
}

/** The fields of a text, read on their own terms. */
function read(text: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let at = 0; at < text.length;) {
    const length = Number(text.slice(at + 2, at + 4));
    fields[text.slice(at, at + 2)] = text.slice(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return fields;
}
