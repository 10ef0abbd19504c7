import { useEffect, useRef, useState, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import { packageAskedFor } from "#domain/accounts/next-page";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { lastRequest, purchaseOf } from "../../entities/payment-request/next-step.ts";
import { myRequestsOptions, useMyRequests } from "../../entities/payment-request/queries.ts";
import { readEarly } from "../../entities/session/early-reads.ts";
import { useMe } from "../../entities/session/session.tsx";
import { forgetKeptOf } from "../../platform/kept-state.ts";
import { PaymentFrame } from "./frame.tsx";
import { History } from "./history.tsx";
import { launchOfferOptions } from "./queries.ts";
import { Submitted } from "./status/submitted.tsx";
import { View } from "./view.tsx";

export { PaymentLoading } from "./loading.tsx";

/** Does not wait: the page displays what is read when it is there. */
export function loader(): null {
  void readEarly((client) => [client.query(myRequestsOptions), client.query(launchOfferOptions)]);
  return null;
}

/** Buys the package that the address names, Starter where it names none; never while there is nothing to pay (PAY-6). */
export function PaymentPage(): ReactNode {
  const [params] = useSearchParams();
  const packageType = packageAskedFor({ package: params.get("package") });
  const { subscription_status: tier } = useMe();
  const requests = useMyRequests();
  const purchase = requests.data && purchaseOf(requests.data, tier, packageType);
  // A pending request, of this tab or another, is followed to its decision.
  const [followed, setFollowed] = useState<PaymentRequest>();
  const pending = purchase?.step === "wait" ? purchase.request : undefined;
  const next = pending ?? (requests.data && followed && successorOf(followed, requests.data));
  if (next && next.id !== followed?.id) setFollowed(next);
  const isPending = pending !== undefined;
  useEffect(() => {
    // The reply that forgets the form may have been lost, or have reached another tab (JOURNEY-3).
    if (isPending) forgetKeptOf(`payment of ${packageType}:`);
  }, [isPending, packageType]);
  // Until this tab has read the request again, one whose rest was just sent is still asked for it.
  const isAsked = purchase?.step === "pay-rest" && followed?.parts.length !== purchase.request.parts.length + 1;
  const isFollowing = followed?.package_type === packageType && !isAsked;
  useHeadingFocus(purchase && `${packageType}, ${isFollowing ? "submitted" : purchase.step}`);

  if (isFollowing) {
    return <Submitted key={followed.id} request={followed} onLeave={() => setFollowed(undefined)} />;
  }
  return (
    <PaymentFrame>
      <View key={packageType} packageType={packageType} requests={requests} purchase={purchase} onSubmitted={setFollowed} />
      <History packageType={packageType} />
    </PaymentFrame>
  );
}

/**
 * Returns the request by which the purchase goes on: another one where this tab missed that it was pending. Undefined for one that the list
 * does not have yet.
 */
function successorOf({ id, package_type }: PaymentRequest, requests: PaymentRequest[]): PaymentRequest | undefined {
  return requests.some((request) => request.id === id) ? lastRequest(requests, package_type) : undefined;
}

/** Focuses the new heading when another view replaced the focused element. `view` is a text that differs for each view. */
function useHeadingFocus(view: string | undefined): void {
  const before = useRef(view);
  useEffect(() => {
    const isChange = before.current !== undefined && before.current !== view;
    before.current = view;
    if (!isChange || document.activeElement !== document.body) return;
    document.querySelector("h1")?.focus();
    scrollTo(0, 0);
  }, [view]);
}
