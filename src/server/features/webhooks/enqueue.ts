import type { Dependencies } from "../../dependencies.ts";
import type { Transaction } from "../../platform/db/database.ts";
import * as queries from "./queries.ts";

/** Something that happened to a payment request. */
export interface WebhookEvent {
  /** What happened, for example `payment_request.approved`. */
  type: string;
  paymentRequestId: string;
  /** What the receiver reads, in JSON. */
  data: object;
}

/** Writes an event in the transaction of what it reports; nothing without `WEBHOOK_URL` (WEBHOOK-1). */
export async function enqueueEvent(
  { config, clock }: Pick<Dependencies, "config" | "clock">,
  tx: Transaction,
  { type, paymentRequestId, data }: WebhookEvent,
): Promise<void> {
  if (config.webhooks.url === undefined) return;
  const now = clock.now();
  await queries.insert(tx, {
    payment_request_id: paymentRequestId,
    type,
    body: JSON.stringify({ type, timestamp: now.toISOString(), data }),
    created_at: now,
    next_attempt_at: clock.steady(),
  });
}
