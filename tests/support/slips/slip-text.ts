import { crc16 } from "#domain/payment-methods/thai-bank/promptpay";
import type { SlipCode } from "#domain/payment-methods/thai-bank/slip-code";
import type { Random } from "./random.ts";

const digits = "0123456789";
const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** How banks write their references: the sending bank's code, and one reference. */
const references: [bank: string, reference: (random: Random) => string][] = [
  ["002", (random) => `20261122${random.text(digits, 17)}`],
  ["004", (random) => `0162${random.text(digits, 8)}${random.text(capitals, 3)}${random.text(digits, 5)}`],
  ["006", (random) => `B${random.text("0123456789abcdef", 16)}`],
  ["011", (random) => random.text(digits, 21)],
  ["014", (random) => `20261122${random.text(digits + capitals + capitals.toLowerCase(), 17)}`],
  ["025", (random) => `KMA${random.text(digits, 20)}`],
  ["030", (random) => random.text(digits, 23)],
  ["069", (random) => `TR${random.text(digits, 16)}`],
];

/** Returns what a slip's code says, drawn at random: one in five of TrueMoney. */
export function randomSlip(random: Random): SlipCode {
  if (random.whole(1, 5) === 1) return { sending_bank: "truemoney", reference: random.text(digits, 14) };
  const [sending_bank, reference] = random.pick(references);
  return { sending_bank, reference: reference(random) };
}

/** Returns the text of a slip's code, as the bank or the wallet writes it. */
export function slipText({ sending_bank, reference }: SlipCode): string {
  const isWallet = sending_bank === "truemoney";
  const payload = isWallet
    ? [field("00", "01"), field("01", "01"), field("02", "P2P"), field("03", reference), field("04", "22112026")]
    : [field("00", "000001"), field("01", sending_bank), field("02", reference)];
  const open = `${field("00", payload.join(""))}${isWallet ? "" : field("51", "TH")}9104`;
  const checksum = crc16(open).toString(16);
  // Siam Commercial Bank leaves out leading zeros.
  const digitsOf = sending_bank === "014" ? checksum : checksum.padStart(4, "0");
  return `${open}${isWallet ? digitsOf : digitsOf.toUpperCase()}`;
}

function field(id: string, value: string): string {
  return id + String(value.length).padStart(2, "0") + value;
}
