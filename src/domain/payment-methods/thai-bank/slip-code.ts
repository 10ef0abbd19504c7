/**
 * The mini-QR of a Thai transfer slip (SLIP-1): fields of id, length and value as in EMV codes, under the Bank of Thailand's "Verify
 * Pay Slip". Its checksum is CRC-16/CCITT-FALSE over everything before its value.
 */
import { crc16 } from "./promptpay.ts";

/** What the code of a transfer slip says. It has no amount and no receiver. */
export interface SlipCode {
  /** The Bank of Thailand's three digits of the bank that sent; `truemoney` for a TrueMoney wallet. */
  sending_bank: string;
  /** As the bank wrote it. */
  reference: string;
}

/** The sending bank of TrueMoney's variant, which states none. */
export const trueMoney = "truemoney";

const bankApi = "000001";
const country = "TH";

/** Printable ASCII, and longer than any slip's code. */
const possibleText = /^[\x20-\x7e]{1,200}$/;

const bankCode = /^\d{3}$/;
const referenceForm = /^(?=.*[A-Za-z0-9])[A-Za-z0-9._/-]{1,60}$/;

/** The checksum's field at the end: some banks leave out its leading zeros and state the shorter length. */
const checksumForm = /^(.+?91)(0[1-4])([0-9A-F]{1,4}|[0-9a-f]{1,4})$/;

/** Returns what a slip's code says; undefined for any other text. */
export function parseSlipCode(text: string): SlipCode | undefined {
  if (!possibleText.test(text)) return undefined;
  const fields = checkedFields(text);
  if (!fields) return undefined;
  // Stryker disable next-line StringLiteral: no other text that has no fields is a slip's either.
  const payload = fieldsOf(fields.get("00") ?? "");
  return payload && (bankSlip(fields, payload) ?? trueMoneySlip(fields, payload));
}

function bankSlip(fields: Fields, payload: Fields): SlipCode | undefined {
  if (payload.get("00") !== bankApi || fields.get("51") !== country) return undefined;
  const bank = payload.get("01");
  // Stryker disable next-line LeftOperand: a bank that is undefined is no code either.
  return bank !== undefined && bankCode.test(bank) ? slipCode(bank, payload.get("02")) : undefined;
}

/** TrueMoney's variant has an event, a transaction and a date (DDMMYYYY), and states no country. */
function trueMoneySlip(fields: Fields, payload: Fields): SlipCode | undefined {
  const isOfForm = payload.get("00") === "01" && payload.get("01") === "01" && payload.has("02");
  // Stryker disable next-line StringLiteral: no other text that is no date is one.
  if (!isOfForm || fields.size !== 1 || !/^\d{8}$/.test(payload.get("04") ?? "")) return undefined;
  return slipCode(trueMoney, payload.get("03"));
}

function slipCode(sending_bank: string, reference: string | undefined): SlipCode | undefined {
  return reference !== undefined && referenceForm.test(reference) ? { sending_bank, reference } : undefined;
}

type Fields = Map<string, string>;

/** Returns the fields before the checksum when it is right. */
function checkedFields(text: string): Fields | undefined {
  const match = checksumForm.exec(text);
  if (match === null) return undefined;
  const [covered, length, digits] = [match[1]!, match[2]!, match[3]!];
  // Zeros are left out all or not at all, and the length is 4 or that of what is left. The checksum covers "04" in every case.
  const isWhole = digits.length === 4 || digits === "0" || !digits.startsWith("0");
  if (!isWhole || (length !== "04" && Number(length) !== digits.length)) return undefined;
  return crc16(`${covered}04`) === Number.parseInt(digits, 16) ? fieldsOf(covered.slice(0, -2)) : undefined;
}

/** Returns the fields of a whole text by their ids; undefined when it does not divide into fields or repeats an id. */
function fieldsOf(text: string): Fields | undefined {
  const fields: Fields = new Map();
  for (let at = 0; at < text.length;) {
    const match = /(\d\d)(\d\d)/.exec(text.slice(at, at + 4));
    if (match === null) return undefined;
    const [id, from] = [match[1]!, at + 4];
    if (fields.has(id)) return undefined;
    at = from + Number(match[2]);
    if (at > text.length || at === from) return undefined;
    fields.set(id, text.slice(from, at));
  }
  return fields;
}
