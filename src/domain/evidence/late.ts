import * as z from "zod/mini";
import { amount, timestamp } from "../api/fields.ts";
import { amountText, type CryptoType } from "../payment-methods/methods.ts";
import { minuteText } from "../texts/minute-text.ts";
import { evidenceSchema } from "./shape.ts";

/** The student says that they paid by the figures of a quote that had ended (QUOTE-6). */
export const LateEvidence = evidenceSchema(
  "late",
  ["late"],
  z.object({ amount_usd: amount, amount_crypto: amount, wallet_address: z.string(), quoted_at: timestamp }),
);
export type LateEvidence = z.infer<typeof LateEvidence>;

/** Returns a late payer's claim; `at` is when they made it. */
export function lateEvidence(cryptoType: CryptoType, details: LateEvidence["details"], at: string): LateEvidence {
  const { amount_crypto, wallet_address, quoted_at } = details;
  const sent = `${amountText(cryptoType, amount_crypto)} to ${wallet_address}`;
  return {
    kind: "late",
    verdict: "late",
    at,
    details,
    text: `Paid by the quote of ${minuteText(quoted_at)}, they say: ${sent}.`,
  };
}
