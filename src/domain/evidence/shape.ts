import * as z from "zod/mini";
import { id, timestamp } from "../api/fields.ts";
import { paymentStatuses } from "../payments/payment-request.ts";

/**
 * Returns the schema of one kind of evidence: its verdict, the verdict in words for the admin, when that was found, and the facts
 * behind it.
 */
export const evidenceSchema = <
  Kind extends string,
  const Verdicts extends readonly [string, ...string[]],
  Details extends z.core.SomeType,
>(
  kind: Kind,
  verdicts: Verdicts,
  details: Details,
) => z.object({ kind: z.literal(kind), verdict: z.enum(verdicts), text: z.string(), at: timestamp, details });

/** Another payment request that evidence names. */
export const OtherRequest = z.object({
  payment_request_id: id,
  /** Null once the account is deleted. */
  user_id: z.nullable(id),
  /** The address at the time of the submit. */
  email: z.string(),
  status: z.enum(paymentStatuses),
  created_at: timestamp,
});
export type OtherRequest = z.infer<typeof OtherRequest>;

/** Other requests that the admin sees beside one, of each kind of evidence. */
export const maxOtherRequests = 5;

/** Returns the first `maxOtherRequests` of some requests, each once. */
export function namedOthers(others: readonly OtherRequest[]): OtherRequest[] {
  const byId = new Map(others.map((other) => [other.payment_request_id, other]));
  return [...byId.values()].slice(0, maxOtherRequests);
}

/** Returns how many others there are beside the first. No more than `maxOtherRequests` are looked for, so there may be more than these. */
export function besideFirst(others: readonly OtherRequest[], one: string, several: string): string {
  const count = Math.min(others.length, maxOtherRequests) - 1;
  if (count < 1) return "";
  const atLeast = others.length < maxOtherRequests ? "" : "at least ";
  return ` and ${atLeast}${count} ${count === 1 ? one : several}`;
}

/** Returns whether another request is of this account; the address does not decide, which may have changed since (OWN-3). */
export function isOfStudent(userId: string | null, other: OtherRequest): boolean {
  return userId !== null && other.user_id === userId;
}
