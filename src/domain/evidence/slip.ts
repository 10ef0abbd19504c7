import * as z from "zod/mini";
import { bankName } from "../payment-methods/thai-bank/banks.ts";
import { thaiBank } from "../payment-methods/thai-bank/method.ts";
import type { SlipCode } from "../payment-methods/thai-bank/slip-code.ts";
import { evidenceSchema, OtherRequest } from "./shape.ts";

export const slipVerdicts = ["read", "differs", "used_before", "none"] as const;
export type SlipVerdict = (typeof slipVerdicts)[number];

export const flaggedSlipVerdicts: readonly SlipVerdict[] = ["differs", "used_before"];

/**
 * What reading a picture came to. `no_code`: a picture without a slip's code. `unreadable`: a format that is not decoded here, or a
 * picture that took too much time or memory.
 */
export const slipOutcomes = ["read", "no_code", "unreadable"] as const;
export type SlipOutcome = (typeof slipOutcomes)[number];

/** Other requests with the same transfer that the admin sees beside one. */
export const mostSlipMatches = 5;

/** Letters and digits that a part of a reference must have to count as the reference. */
const shortestPart = 6;

/** What the code on the picture of a bank's slip says. */
export const SlipEvidence = evidenceSchema(
  "slip",
  slipVerdicts,
  z.object({
    /** The name of the bank that sent. */
    sending_bank: z.nullable(z.string()),
    /** As the bank wrote it. */
    reference: z.nullable(z.string()),
    others: z.array(OtherRequest),
  }),
);
export type SlipEvidence = z.infer<typeof SlipEvidence>;

export interface SlipFacts {
  outcome: SlipOutcome;
  /** Null unless a code was read. */
  code: SlipCode | null;
  /** The reference that the student typed, in its normal form. */
  typed: string | null;
  /** The payer's, by which their own other requests are told from those of others. */
  email: string;
  read_at: string;
  /** Other requests whose slip has this code or whose student typed its reference, oldest first (SLIP-4). */
  others: OtherRequest[];
}

/** Returns what the picture of a Thai transfer says (SLIP-3, SLIP-4). */
export function slipEvidence({ outcome, code, typed, email, read_at, others }: SlipFacts): SlipEvidence {
  if (code === null) {
    const details = { sending_bank: null, reference: null, others: [] };
    return { kind: "slip", verdict: "none", text: textWithoutCode(outcome), at: read_at, details };
  }
  const details = { sending_bank: bankName(code.sending_bank), reference: code.reference, others };
  const isDifferent = typed !== null && !isSameReference(typed, slipReferenceForm(code.reference));
  const verdict = others.length > 0 ? "used_before" : isDifferent ? "differs" : "read";
  const text = [
    `The slip is of ${details.sending_bank}, reference ${code.reference}.`,
    isDifferent ? `The student typed another reference: ${typed}.` : "",
    usedText(email, others),
  ];
  const at = others.reduce((latest, { created_at }) => (created_at > latest ? created_at : latest), read_at);
  return { kind: "slip", verdict, text: text.filter((part) => part !== "").join(" "), at, details };
}

/** Returns a slip's reference in the form in which typed references are stored and compared (PAY-4). */
export function slipReferenceForm(reference: string): string {
  return thaiBank.reference.normalForm(reference);
}

/** Some banks print only a part of the code's reference, and others more than it. */
function isSameReference(typed: string, onSlip: string): boolean {
  if (typed === onSlip) return true;
  const [shorter, longer] = typed.length < onSlip.length ? [typed, onSlip] : [onSlip, typed];
  return shorter.length >= shortestPart && longer.includes(shorter);
}

function textWithoutCode(outcome: SlipOutcome): string {
  return outcome === "unreadable"
    ? "The picture could not be searched for the code of a transfer slip."
    : "A transfer slip without a code, or with one that cannot be read.";
}

function usedText(email: string, others: OtherRequest[]): string {
  const [first, ...more] = others;
  if (!first) return "";
  const whose = first.email === email ? "another request of the same student" : `a request of ${first.email}`;
  const rest = more.length === 0 ? "" : ` and ${more.length} more`;
  return `The same transfer belongs to ${whose} from ${first.created_at.slice(0, 10)} (${first.status})${rest}.`;
}
