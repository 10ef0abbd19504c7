import { pay, type PaymentChoice } from "../payments.ts";
import type { TestApp } from "../app.ts";
import type { Answer, Person } from "../people.ts";

/** What tests of decisions do, in one shop. */
export function decisions(app: TestApp, operator: Person) {
  const post = (id: string, call: string, body: unknown): Promise<Answer> =>
    operator.call("POST", `/api/payment-requests/${id}/${call}`, body);
  return {
    request: async (buyer: Person, choice: PaymentChoice = {}): Promise<string> => (await pay(buyer, choice)).body.id,
    approve: (id: string, body: object = {}): Promise<Answer> => post(id, "approve", body),
    reject: (id: string, reason = "No."): Promise<Answer> => post(id, "reject", { reason }),
    reopen: (id: string, reason = "Decided by mistake."): Promise<Answer> => post(id, "reopen", { reason }),
    resubmit: (buyer: Person, id: string, key: string): Promise<Answer> =>
      buyer.call("POST", `/api/payment-requests/${id}/resubmit`, {}, { "idempotency-key": key }),
    setTier: (buyer: Person, newRole: string): Promise<Answer> =>
      operator.call("PUT", "/functions/v1/admin-users", { userId: buyer.id, newRole }),
    remove: (buyer: Person): Promise<Answer> => operator.call("DELETE", `/functions/v1/admin-users?userId=${buyer.id}`),
    tierOf: async (someone: Person): Promise<string> => (await someone.call("GET", "/api/me")).body.subscription_status,
    /** What was recorded about a request, oldest first. */
    actions: async (id: string): Promise<string[]> => {
      const rows = await app.sql<{ action: string }>("select action from audit_log where subject_id = $1 order by id", [id]);
      return rows.map(({ action }) => action.replace("payment-request.", ""));
    },
  };
}
