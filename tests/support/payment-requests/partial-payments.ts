import { randomUUID } from "node:crypto";
import type { TestApp } from "../app.ts";
import { pay, uploadScreenshot } from "../payments.ts";
import { student, type Answer, type Person } from "../people.ts";

/** What tests of a payment in parts do, in one shop. */
export function partialPayments(app: TestApp, operator: Person) {
  /** Returns the id of a request for 10,468.50 THB. */
  const payBaht = async (buyer: Person, extra: Record<string, unknown> = {}): Promise<string> => {
    const choice = { package_type: "advanced", crypto_type: "thai_bank", coupon_code: "LUNCH", extra } as const;
    return (await pay(buyer, choice)).body.id;
  };
  const ask = (id: string, amount_received: unknown = "10000", more: object = {}): Promise<Answer> =>
    operator.call("POST", `/api/payment-requests/${id}/ask-rest`, { amount_received, ...more });
  return {
    payBaht,
    ask,
    sendRest: async (buyer: Person, id: string, body: Record<string, unknown> = {}, key = randomUUID()): Promise<Answer> => {
      const upload_id = body["upload_id"] ?? (await uploadScreenshot(buyer));
      return buyer.call("POST", `/api/payment-requests/${id}/rest`, { upload_id, ...body }, { "idempotency-key": key });
    },
    approve: (id: string, body: object = {}): Promise<Answer> =>
      operator.call("POST", `/api/payment-requests/${id}/approve`, body),
    /** A student whose payment of 10,468.50 THB is asked for the rest of 468.50. */
    asked: async (extra: Record<string, unknown> = {}): Promise<{ buyer: Person; id: string }> => {
      const buyer = await student(app);
      const id = await payBaht(buyer, extra);
      const { status } = await ask(id);
      if (status !== 200) throw new Error(`Asking for the rest answered ${status}.`);
      return { buyer, id };
    },
    mine: async (buyer: Person): Promise<any> => (await buyer.call("GET", "/api/payment-requests/mine")).body.items[0],
    rowOf: async (id: string): Promise<any> =>
      (await app.sql("select status, amount_received, rest_asked_at, note from payment_requests where id = $1", [id]))[0],
  };
}
