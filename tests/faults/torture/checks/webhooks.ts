import { idOf, typeOf, type Received } from "../../../support/webhooks/receiver.ts";
import { finding, grouped, type Finding, type Read } from "./finding.ts";

/** Each submit and each decision has one event, which the receiver took, in the order of the request's events (WEBHOOK-1, WEBHOOK-3). */
export async function checkWebhooks(read: Read, received: Received[], delivered: Set<string>): Promise<Finding> {
  const events = finding("webhook events delivered");
  const requests = await read("select id, status from payment_requests");
  const rows = grouped(
    await read("select id, payment_request_id, type, delivered_at from webhook_events order by place"),
    "payment_request_id",
  );
  const known = new Set<unknown>();
  for (const { id, status } of requests) {
    const own = rows.get(id) ?? [];
    const expected = ["submitted", ...(status === "pending" ? [] : [status])].map((type) => `payment_request.${type}`);
    const found = own.map(({ type }) => type);
    if (found.join() !== expected.join()) events.lost.push(`events of ${id}, ${status}: ${found.join(", ")}`);
    for (const event of own) {
      known.add(event.id);
      const isTaken = event.delivered_at !== null && delivered.has(event.id);
      events.expect(isTaken, `event ${event.type} of ${id}: ${event.delivered_at ? "not received" : "not delivered"}`);
    }
  }
  for (const one of received) if (!known.has(idOf(one))) events.lost.push(`an event of nothing arrived: ${one.body}`);
  events.lost.push(...outOfOrder(received));
  return events;
}

/** No decision may arrive before the submit that it decides. */
function outOfOrder(received: Received[]): string[] {
  const submitted = new Set<string>();
  const wrong: string[] = [];
  for (const one of received) {
    const { id } = (JSON.parse(one.body) as { data: { id: string } }).data;
    if (typeOf(one) === "payment_request.submitted") submitted.add(id);
    else if (!submitted.has(id)) wrong.push(`the decision of ${id} arrived before its submit`);
  }
  return wrong;
}
