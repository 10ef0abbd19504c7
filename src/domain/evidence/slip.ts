import * as z from "zod/mini";
import { bankName } from "../payment-methods/thai-bank/banks.ts";
import { thaiBank } from "../payment-methods/thai-bank/method.ts";
import type { SlipCode } from "../payment-methods/thai-bank/slip-code.ts";
import { minuteText } from "../texts/minute-text.ts";
import { besideFirst, evidenceSchema, isOfStudent, namedOthers, OtherRequest } from "./shape.ts";

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

/** The picture of one part of a request's payment, with one slip or with several. */
export interface SlipFacts {
  /** From 1 where the payment has several parts, else null. */
  part: number | null;
  outcome: SlipOutcome;
  /** Of each code on the picture; none unless a code was read. */
  transfers: SlipTransfer[];
  /** The reference that the student typed for this part, in its normal form. */
  typed: string | null;
  read_at: string;
}

/** The transfer of one slip. */
export interface SlipTransfer {
  code: SlipCode;
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
  const { transfers } = slips[verdicts.indexOf(verdict)]!;
  const { code } = transfers.find(isUsed) ?? transfers[0] ?? {};
  const others = namedOthers(slips.flatMap((slip) => slip.transfers.flatMap((transfer) => transfer.others)));
  const times = [...slips.map(({ read_at }) => read_at), ...others.map(({ created_at }) => created_at)];
  return {
    kind: "slip",
    verdict,
    text: slips.map((slip) => textOf(userId, slip)).join(" "),
    at: times.sort().at(-1)!,
    details: { sending_bank: code ? bankName(code.sending_bank) : null, reference: code?.reference ?? null, others },
  };
}

function verdictOf(slip: SlipFacts): SlipVerdict {
  if (slip.transfers.length === 0) return "none";
  if (slip.transfers.some(isUsed)) return "used_before";
  return isDifferent(slip) ? "differs" : "read";
}

function isUsed({ isRepeated, others }: SlipTransfer): boolean {
  return isRepeated || others.length > 0;
}

/** One reference is typed for a picture, also where it has several slips. A picture without a code does not come here. */
function isDifferent({ typed, transfers }: SlipFacts): boolean {
  return typed !== null && !transfers.some(({ code }) => isSameReference(typed, slipReferenceForm(code.reference)));
}

function textOf(userId: string | null, slip: SlipFacts): string {
  const { part, outcome, transfers, typed } = slip;
  const label = part === null ? "" : `Part ${part}: `;
  if (transfers.length === 0) return label + textWithoutCode(outcome);
  const isOnly = transfers.length === 1;
  const texts = [
    ...transfers.map(({ code }, index) => {
      const name = isOnly ? "The slip" : `Slip ${index + 1}`;
      return `${name} is of ${bankName(code.sending_bank)}, reference ${code.reference}.`;
    }),
    isDifferent(slip) ? `The student typed another reference: ${typed}.` : "",
    ...transfers.flatMap(({ isRepeated, others }, index) => {
      const name = isOnly ? "The same transfer" : `The transfer of slip ${index + 1}`;
      return [isRepeated ? `${name} belongs to another part of this payment.` : "", usedText(name, userId, others)];
    }),
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

function usedText(name: string, userId: string | null, others: OtherRequest[]): string {
  const [first] = others;
  if (!first) return "";
  const whose = isOfStudent(userId, first) ? "another request of the same student" : `a request of ${first.email}`;
  return `${name} belongs to ${whose} (${first.status}, submitted ${minuteText(first.created_at)})${besideFirst(others, "more", "more")}.`;
}
