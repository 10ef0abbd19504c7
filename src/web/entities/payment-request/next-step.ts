import type { PaymentRequest } from "#domain/api/payment-requests";
import { isDowngrade, type PackageType, type SubscriptionStatus } from "#domain/packages";

/** How the student's last try to buy a package stands. `requests` are newest first. */
export function newestFor(requests: PaymentRequest[], packageType: PackageType): PaymentRequest | undefined {
  return requests.find(({ package_type }) => package_type === packageType);
}

/** Whether a rejected request waits for another try: it is the last one for a package that the student does not have. */
export function maySubmitAgain(requests: PaymentRequest[], request: PaymentRequest, tier: SubscriptionStatus): boolean {
  const isLast = newestFor(requests, request.package_type)?.id === request.id;
  return isLast && request.status === "rejected" && isDowngrade(request.package_type, tier);
}

/** Whether there is nothing more to wait for or to do. */
export function isSettled(requests: PaymentRequest[], tier: SubscriptionStatus): boolean {
  return requests.every((request) => request.status !== "pending" && !maySubmitAgain(requests, request, tier));
}
