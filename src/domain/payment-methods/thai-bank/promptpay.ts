/**
 * PromptPay QR codes: EMV QR Code Specification for Payment Systems, Merchant-Presented Mode, as the Bank of Thailand uses it for
 * credit transfers (template 29). A field is id, length and value, two digits each for the first two.
 */
const application = "A000000677010111";
const ids = {
  format: "00",
  initiation: "01",
  creditTransfer: "29",
  currency: "53",
  amount: "54",
  country: "58",
  checksum: "63",
} as const;
const baht = "764";

/** Longest amount that a code can carry, in characters. */
const maxAmountLength = 13;

/**
 * Returns a PromptPay ID in the one form that is stored, digits alone: a mobile number (10, beginning with 0; also typed with +66 or 0066), a
 * national or tax ID (13) or an e-wallet (15); undefined when it is none of these. Check digits are left to the bank's app, which
 * names the receiver before it sends.
 */
export function normalisePromptPayId(text: string): string | undefined {
  const digits = text.replace(/[\s-]/g, "").replace(/^(?:\+|00)?66(?=\d{9}$)/, "0");
  return /^(0\d{9}|\d{13}|\d{15})$/.test(digits) ? digits : undefined;
}

/**
 * Returns the text of a QR code that pays an amount to a normalised PromptPay ID. `amount` is baht as a decimal string with two places, or
 * undefined to let the payer type it. Throws a RangeError on an ID or an amount that no code can carry.
 */
export function promptPayPayload(id: string, amount?: string): string {
  if (amount !== undefined && (!/^\d+\.\d{2}$/.test(amount) || amount.length > maxAmountLength)) {
    throw new RangeError(`Not an amount of baht: ${amount}`);
  }
  const open = [
    field(ids.format, "01"),
    // 11: may be used again and again; 12: for this one amount.
    field(ids.initiation, amount === undefined ? "11" : "12"),
    field(ids.creditTransfer, field("00", application) + receiver(id)),
    field(ids.country, "TH"),
    field(ids.currency, baht),
    amount === undefined ? "" : field(ids.amount, amount),
    // The checksum covers its own id and length.
    `${ids.checksum}04`,
  ].join("");
  return open + crc16(open).toString(16).toUpperCase().padStart(4, "0");
}

function receiver(id: string): string {
  switch (id.length) {
    case 10:
      // A mobile number with its country code in place of the 0, filled up to 13 digits.
      return field("01", `66${id.slice(1)}`.padStart(13, "0"));
    case 13:
      return field("02", id);
    case 15:
      return field("03", id);
    default:
      throw new RangeError("Not a normalised PromptPay ID.");
  }
}

function field(id: string, value: string): string {
  return id + String(value.length).padStart(2, "0") + value;
}

/** Returns the CRC-16/CCITT-FALSE of an ASCII text: polynomial 0x1021, start 0xFFFF, nothing reflected (EMV MPM, section 4.7.3). */
export function crc16(text: string): number {
  let crc = 0xffff;
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index) << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021) & 0xffff;
  }
  return crc;
}
