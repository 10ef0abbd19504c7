import type { PaymentStatus } from "#domain/payments/payment-request";
import { isTransient } from "../../../../platform/errors.ts";

/** By request, the status that this window has asked for without a reply so far. */
const unanswered = new Map<string, PaymentStatus>();

/** Sends a decision, and remembers it while its reply is missing: it may have been made all the same (REVIEW-6). */
export async function sendDecision<Reply>(id: string, status: PaymentStatus, send: () => Promise<Reply>): Promise<Reply> {
  const before = unanswered.get(id);
  unanswered.set(id, status);
  try {
    const reply = await send();
    unanswered.delete(id);
    return reply;
  } catch (error) {
    // A second try is refused also where the first one has arrived.
    if (!isTransient(error)) forget(id, before);
    throw error;
  }
}

function forget(id: string, before: PaymentStatus | undefined): void {
  if (before === undefined) unanswered.delete(id);
  else unanswered.set(id, before);
}

/** Returns whether a request may have its status by a decision of this window whose reply is missing. */
export function isUnanswered({ id, status }: { id: string; status: PaymentStatus }): boolean {
  return unanswered.get(id) === status;
}
