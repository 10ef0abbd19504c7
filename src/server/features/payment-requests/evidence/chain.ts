import { chainOff } from "#domain/evidence/chain";
import type { EvidenceSource } from "./source.ts";

/** Coins only: a bank has no public chain. */
export const chainSource: EvidenceSource = ({ clock }) => {
  const evidence = chainOff(clock.now().toISOString());
  return Promise.resolve(({ crypto_type }) => (crypto_type === null || crypto_type === "thai_bank" ? undefined : evidence));
};
