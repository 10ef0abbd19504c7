import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { includesPackage, type PackageType, type SubscriptionStatus } from "#domain/packages";

/** What a student can do about a package: wait for the decision, pay the rest, fix what was refused, nothing, or buy it. */
export type Purchase =
  | { step: "wait" | "submit-again"; request: PaymentRequest }
  /** The admin asks for the rest of a pending request (PART-3). */
  | { step: "pay-rest"; request: PaymentRequest; rest: NonNullable<PaymentRequest["rest"]> }
  /** `request` is the approved one, where the student paid for the package. */
  | { step: "owned"; request: PaymentRequest | undefined }
  | { step: "buy" };

/** Returns the status of a student's purchase of a package (PAY-6). `requests` are newest first. */
export function purchaseOf(requests: PaymentRequest[], tier: SubscriptionStatus, packageType: PackageType): Purchase {
  const all = requests.filter(({ package_type }) => package_type === packageType);
  const last = lastRequest(requests, packageType);
  const isOwned = includesPackage(tier, packageType);
  if (last?.status === "pending") {
    const rest = restAsked(last, tier);
    return rest === null ? { step: "wait", request: last } : { step: "pay-rest", request: last, rest };
  }
  if (isOwned) {
    return { step: "owned", request: all.find(({ status }) => status === "approved") };
  }
  return last?.status === "rejected" ? { step: "submit-again", request: last } : { step: "buy" };
}

/**
 * Returns the request for a package by which its purchase goes on: the pending one, otherwise the one that was decided last and not
 * submitted again. It may be older than another, since a reopened one is decided again (REOPEN-1). `requests` are newest first.
 */
export function lastRequest(requests: PaymentRequest[], packageType: PackageType): PaymentRequest | undefined {
  const all = requests.filter(({ package_type }) => package_type === packageType);
  const again = new Set(all.map(({ resubmits }) => resubmits));
  const byDecision = all.filter(({ id }) => !again.has(id)).sort((one, other) => timeOf(other) - timeOf(one));
  return byDecision.find(({ status }) => status === "pending") ?? byDecision[0];
}

function timeOf({ decided_at }: PaymentRequest): number {
  return decided_at === null ? 0 : Date.parse(decided_at);
}

/** Returns the rest that a student is asked for; null also where they have the package by now: nobody pays more for it (DECIDE-7). */
export function restAsked({ package_type, rest }: PaymentRequest, tier: SubscriptionStatus): PaymentRequest["rest"] {
  return includesPackage(tier, package_type) ? null : rest;
}

/** Returns the newest pending request for a package that includes another; undefined when there is none. */
export function pendingWith(requests: PaymentRequest[], packageType: PackageType): PaymentRequest | undefined {
  return requests.find(({ status, package_type }) => status === "pending" && includesPackage(package_type, packageType));
}

/** Whether a rejected request waits for another try: it is the last one for a package that the student does not have. */
export function maySubmitAgain(requests: PaymentRequest[], request: PaymentRequest, tier: SubscriptionStatus): boolean {
  const purchase = purchaseOf(requests, tier, request.package_type);
  return purchase.step === "submit-again" && purchase.request.id === request.id;
}

/**
 * Returns what is still to pay of a request, a decimal string or null: of a pending one while its rest is asked for (PART-4), and of a
 * rejected one; null where its student has the package by now (DECIDE-7). `tier` is the student's, null once the account is deleted.
 */
export function stillToPay(
  { status, package_type, rest, amount_owed }: PaymentRequest,
  tier: SubscriptionStatus | null,
): string | null {
  if (tier === null || includesPackage(tier, package_type)) return null;
  return status === "pending" && rest === null ? null : amount_owed;
}

/** Whether there is nothing more to wait for or to do. */
export function isSettled(requests: PaymentRequest[], tier: SubscriptionStatus): boolean {
  return requests.every((request) => request.status !== "pending" && !maySubmitAgain(requests, request, tier));
}

/** Returns the newest request for a package that the student lacks which waits for its decision or for another try; undefined when there is none. */
export function openRequest(requests: PaymentRequest[], tier: SubscriptionStatus): PaymentRequest | undefined {
  const lacking = requests.filter(({ package_type }) => !includesPackage(tier, package_type));
  return lacking.find((request) => request.status === "pending" || maySubmitAgain(requests, request, tier));
}
