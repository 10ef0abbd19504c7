import * as z from "zod/mini";
import { paymentMethod } from "../payment-methods/methods.ts";
import type { Transfer } from "../payments/transfer.ts";
import { evidenceSchema } from "./shape.ts";

const destinationVerdicts = ["current", "not_current"] as const;
export type DestinationVerdict = (typeof destinationVerdicts)[number];

export const flaggedDestinationVerdicts: readonly DestinationVerdict[] = ["not_current"];

/** Whether the payment went to where payments go now. */
export const DestinationEvidence = evidenceSchema("destination", destinationVerdicts, z.object({ wallet_address: z.string() }));
export type DestinationEvidence = z.infer<typeof DestinationEvidence>;

/** Returns whether the destinations of a transfer and its further parts are still ours (EVIDENCE-3). `old` has those that are not. */
export function destinationEvidence(
  { crypto_type, wallet_address }: Transfer,
  old: readonly string[],
  at: string,
): DestinationEvidence {
  const { destinationName } = paymentMethod(crypto_type);
  const base = { kind: "destination", at, details: { wallet_address } } as const;
  const [first] = old;
  if (first === undefined) {
    return { verdict: "current", text: `The ${destinationName} is the one in the wallet settings.`, ...base };
  }
  const part = old.includes(wallet_address) ? "" : ` of a further part, ${first},`;
  return { verdict: "not_current", text: `The ${destinationName}${part} is no longer in the wallet settings.`, ...base };
}
