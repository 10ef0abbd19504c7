import * as z from "zod/mini";
import type { PaymentStatus } from "../payments/payment-request.ts";
import { minuteText } from "../texts/minute-text.ts";
import { besideFirst, evidenceSchema, namedOthers, OtherRequest } from "./shape.ts";

const referenceVerdicts = ["none", "unique", "disputed"] as const;
export type ReferenceVerdict = (typeof referenceVerdicts)[number];

export const flaggedReferenceVerdicts: readonly ReferenceVerdict[] = ["disputed"];

/** Whether another request claims the same transaction. */
export const ReferenceEvidence = evidenceSchema("reference", referenceVerdicts, z.object({ others: z.array(OtherRequest) }));
export type ReferenceEvidence = z.infer<typeof ReferenceEvidence>;

export interface ReferenceFacts {
  reference: string | null;
  status: PaymentStatus;
  created_at: string;
  /** The other requests with this reference: the approved one first, then the oldest first (EVIDENCE-2). */
  others: OtherRequest[];
  /** Other requests whose slip has this reference, though their students did not type it, oldest first (SLIP-4). */
  withSlip?: OtherRequest[];
}

/** Returns what a request's reference says (EVIDENCE-2). */
export function referenceEvidence({ reference, status, created_at, ...facts }: ReferenceFacts): ReferenceEvidence {
  const { others: typed, withSlip = [] } = facts;
  const others = [...typed, ...withSlip];
  const base = { kind: "reference", at: created_at, details: { others: namedOthers(others) } } as const;
  const [first] = typed;
  if (reference === null) return { verdict: "none", text: "No transaction reference was typed.", ...base };
  if (others.length === 0) return { verdict: "unique", text: "No request of another student has this reference.", ...base };
  // Stryker disable next-line Boundary: of equal times, either is the latest.
  const at = others.reduce((latest, other) => (other.created_at > latest ? other.created_at : latest), created_at);
  const texts = [first ? `${claimText(first, typed)} ${ruleText(status, first)}` : "", slipText(withSlip)];
  return { ...base, verdict: "disputed", at, text: texts.filter((text) => text !== "").join(" ") };
}

function claimText({ email, status, created_at }: OtherRequest, typed: readonly OtherRequest[]): string {
  const further = besideFirst(typed, "other", "others");
  return `${email} (${status}, submitted ${minuteText(created_at)})${further} claimed the same transaction.`;
}

function slipText([first]: OtherRequest[]): string {
  return first
    ? `The slip of ${first.email} (${first.status}, submitted ${minuteText(first.created_at)}) has this reference.`
    : "";
}

function ruleText(status: PaymentStatus, first: OtherRequest): string {
  if (status === "approved") return "This request was approved, so none of the others can be.";
  if (first.status === "approved") return "That request was approved, so this one cannot be.";
  return "Only one of these requests can be approved.";
}
