import * as z from "zod/mini";
import { bankName } from "../payment-methods/thai-bank/banks.ts";
import { thaiBank } from "../payment-methods/thai-bank/method.ts";
import type { SlipCode } from "../payment-methods/thai-bank/slip-code.ts";
import { minuteText } from "../texts/minute-text.ts";
import { evidenceSchema, isOfStudent, namedOthers, OtherRequest } from "./shape.ts";

const slipVerdicts = ["read", "differs", "used_before", "none"] as const;
export type SlipVerdict = (typeof slipVerdicts)[number];

export const flaggedSlipVerdicts: readonly SlipVerdict[] = ["differs", "used_before"];

/**
 * What reading a picture came to. `no_code`: a picture without a slip's code. `unreadable`: a format that is not decoded here, or a
 * picture that took too much time or memory.
 */
export const slipOutcomes = ["read", "no_code", "unreadable"] as const;
export type SlipOutcome = (typeof slipOutcomes)[number];

/** Letters and digits that a part of a reference must have to count as the reference. */
const minPartLength = 6;

/** What the codes on the pictures of a bank's slips say. */
export const SlipEvidence = evidenceSchema(
  "slip",
  slipVerdicts,
  z.object({
    /** The name of the bank that sent, of the slip behind the verdict. */
    sending_bank: z.nullable(z.string()),
    /** As the bank wrote it, of the same slip. */
    reference: z.nullable(z.string()),
    /** Those of all slips of the request. */
    others: z.array(OtherRequest),
  }),
);
export type SlipEvidence = z.infer<typeof SlipEvidence>;

/** One slip of a request. */
export interface SlipFacts {
  /** From 1 where the payment has several parts, else null. */
  part: number | null;
  outcome: SlipOutcome;
  /** Null unless a code was read. */
  code: SlipCode | null;
  /** The reference that the student typed for this part, in its normal form. */
  typed: string | null;
  read_at: string;
  /** Whether another part of the same payment has this code, or its reference was typed for it (SLIP-4). */
  isRepeated: boolean;
  /** Other requests with a slip of this code or with its reference typed, oldest first (SLIP-4). */
  others: OtherRequest[];
}

/** Verdicts of single slips, the one that counts for the whole request first. */
const byWeight: readonly SlipVerdict[] = ["used_before", "differs", "none", "read"];

/**
 * Returns what the pictures of a Thai transfer say (SLIP-3, SLIP-4). Takes the payer's account, by which their own other requests are
 * told from those of others, and at least one slip, in the order in which they were sent.
 */
export function slipEvidence(userId: string | null, slips: readonly SlipFacts[]): SlipEvidence {
  const verdicts = slips.map(verdictOf);
  const verdict = byWeight.find((one) => verdicts.includes(one))!;
  const { code } = slips[verdicts.indexOf(verdict)]!;
  const others = namedOthers(slips.flatMap((slip) => (slip.code === null ? [] : slip.others)));
  const times = [...slips.map(({ read_at }) => read_at), ...others.map(({ created_at }) => created_at)];
  return {
    kind: "slip",
    verdict,
    text: slips.map((slip) => textOf(userId, slip)).join(" "),
    at: times.sort().at(-1)!,
    details: { sending_bank: code && bankName(code.sending_bank), reference: code && code.reference, others },
  };
}

function verdictOf(slip: SlipFacts): SlipVerdict {
  if (slip.code === null) return "none";
  if (slip.isRepeated || slip.others.length > 0) return "used_before";
  return isDifferent(slip) ? "differs" : "read";
}

function isDifferent({ typed, code }: SlipFacts): boolean {
  // A slip without a code does not come here.
  return typed !== null && !isSameReference(typed, slipReferenceForm(code!.reference));
}

function textOf(userId: string | null, slip: SlipFacts): string {
  const { part, outcome, code, typed, isRepeated, others } = slip;
  const label = part === null ? "" : `Part ${part}: `;
  if (code === null) return label + textWithoutCode(outcome);
  const texts = [
    `The slip is of ${bankName(code.sending_bank)}, reference ${code.reference}.`,
    isDifferent(slip) ? `The student typed another reference: ${typed}.` : "",
    isRepeated ? "The same transfer belongs to another part of this payment." : "",
    usedText(userId, others),
  ];
  return label + texts.filter((text) => text !== "").join(" ");
}

/** Returns a slip's reference in the form in which typed references are stored and compared (PAY-4). */
export function slipReferenceForm(reference: string): string {
  return thaiBank.reference.normalForm(reference);
}

/** Some banks print only a part of the code's reference, and others more than it. */
function isSameReference(typed: string, onSlip: string): boolean {
  if (typed === onSlip) return true;
  // Stryker disable next-line Boundary: of two that are as long and differ, neither includes the other.
  const [shorter, longer] = typed.length < onSlip.length ? [typed, onSlip] : [onSlip, typed];
  return shorter.length >= minPartLength && longer.includes(shorter);
}

function textWithoutCode(outcome: SlipOutcome): string {
  return outcome === "unreadable"
    ? "The picture could not be searched for the code of a transfer slip."
    : "A transfer slip without a code, or with one that cannot be read.";
}

function usedText(userId: string | null, others: OtherRequest[]): string {
  const [first, ...more] = others;
  if (!first) return "";
  const whose = isOfStudent(userId, first) ? "another request of the same student" : `a request of ${first.email}`;
  const rest = more.length === 0 ? "" : ` and ${more.length} more`;
  return `The same transfer belongs to ${whose} (${first.status}, submitted ${minuteText(first.created_at)})${rest}.`;
}
