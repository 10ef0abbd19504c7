import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SlipCode } from "#domain/payment-methods/thai-bank/slip-code";
import type { SlipReader } from "#server/platform/pictures/slip-reader";
import { drawSlip } from "./draw-slip.ts";
import { mutations } from "./mutations.ts";
import { randomOf } from "./random.ts";
import { randomSlip, slipText } from "./slip-text.ts";

export const mutationNames = Object.keys(mutations);

/** How one changed slip was read. */
export interface SlipResult {
  mutation: string;
  outcome: "read" | "missed" | "wrong";
  milliseconds: number;
}

/** Draws the slip of a number, changes it in the way whose turn it is, and has it read. The same seed makes the same slip. */
export async function tryToRead(reader: SlipReader, folder: string, number: number, seed: number): Promise<SlipResult> {
  const random = randomOf(seed * 100_003 + number);
  const slip = randomSlip(random);
  const mutation = mutationNames[number % mutationNames.length]!;
  const bytes = await mutations[mutation]!(drawSlip(slipText(slip), random), random);
  const path = join(folder, `slip-${number}`);
  await writeFile(path, bytes);
  const contentType = bytes[0] === 0x89 ? "image/png" : "image/jpeg";
  const began = performance.now();
  const finding = await reader.scan({ path, contentType });
  return {
    mutation,
    outcome: outcomeOf(slip, finding.kind === "scanned" ? finding.codes : []),
    milliseconds: performance.now() - began,
  };
}

function outcomeOf(slip: SlipCode, codes: SlipCode[]): SlipResult["outcome"] {
  if (codes.length === 0) return "missed";
  const isRight = codes.every((code) => code.sending_bank === slip.sending_bank && code.reference === slip.reference);
  return isRight ? "read" : "wrong";
}
