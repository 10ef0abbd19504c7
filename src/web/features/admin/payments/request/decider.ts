import type { PaymentRequestDetail } from "#domain/api/payments/payment-requests";
import type { PaymentStatus } from "#domain/payments/payment-request";

const actions: Record<PaymentStatus, string> = {
  approved: "payment-request.approve",
  rejected: "payment-request.reject",
  pending: "payment-request.reopen",
};

/** Returns the address of who gave a request its status; undefined where nobody decided. */
export function deciderOf({ status, audit }: PaymentRequestDetail): string | undefined {
  return audit.find(({ action }) => action === actions[status])?.actor_email;
}
