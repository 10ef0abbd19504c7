import { lateEvidence } from "#domain/evidence/late";
import { canonical } from "#domain/money";
import type { EvidenceSource } from "./source.ts";

/** The claim of a student who paid by an earlier quote (QUOTE-6). */
export const lateSource: EvidenceSource = () =>
  Promise.resolve((row) => {
    const { crypto_type, created_at, earlier_amount_usd, earlier_amount_crypto, earlier_wallet_address, earlier_quoted_at } =
      row;
    // Stryker disable next-line LeftOperand: only for the types, since an earlier quote is of a method.
    if (crypto_type === null || earlier_quoted_at === null) return undefined;
    const claim = {
      amount_usd: canonical(earlier_amount_usd!),
      amount_crypto: earlier_amount_crypto!,
      wallet_address: earlier_wallet_address!,
      quoted_at: earlier_quoted_at.toISOString(),
    };
    return lateEvidence(crypto_type, claim, created_at.toISOString());
  });
