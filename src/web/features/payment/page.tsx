import { useEffect, useRef, useState, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { packages, packageTypes, type PackageType } from "#domain/packages";
import { texts } from "#domain/texts/texts";
import { purchaseOf } from "../../entities/payment-request/next-step.ts";
import { myRequestsOptions, useMyRequests } from "../../entities/payment-request/queries.ts";
import { AccountActions } from "../../entities/session/account-actions.tsx";
import { readEarly } from "../../entities/session/early-reads.ts";
import { useMe } from "../../entities/session/session.tsx";
import { useTitle } from "../../platform/site.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { History } from "./history.tsx";
import { Submitted } from "./status/submitted.tsx";
import { View } from "./view.tsx";

/** Does not wait: the page displays what is read when it is there. */
export function loader(): null {
  void readEarly((client) => [client.query(myRequestsOptions)]);
  return null;
}

/** Buys the package that the address names, Starter where it names none; never while there is nothing to pay (PAY-6). */
export function PaymentPage(): ReactNode {
  const [params] = useSearchParams();
  const asked = params.get("package");
  const packageType: PackageType = packageTypes.find((type) => type === asked) ?? "starter";
  const { subscription_status: tier } = useMe();
  const requests = useMyRequests();
  const purchase = requests.data && purchaseOf(requests.data, tier, packageType);
  // A pending request, of this tab or another, is followed to its decision.
  const [followed, setFollowed] = useState<PaymentRequest>();
  const pending = purchase?.step === "wait" ? purchase.request : undefined;
  if (pending && pending.id !== followed?.id) setFollowed(pending);
  // Until this tab has read the request again, one whose rest was just sent is still asked for it.
  const isAsked = purchase?.step === "pay-rest" && followed?.parts.length !== purchase.request.parts.length + 1;
  const isFollowing = followed?.package_type === packageType && !isAsked;
  useHeadingFocus(purchase && `${packageType}, ${isFollowing ? "submitted" : purchase.step}`);
  useTitle(isFollowing ? "Payment submitted" : `${packages[packageType].name} package`);

  if (isFollowing) {
    return <Submitted key={followed.id} request={followed} onLeave={() => setFollowed(undefined)} />;
  }
  return (
    <Page
      actions={
        <>
          <ButtonLink to="/student" variant="quiet" size="small" className="min-h-11">
            {texts.payment.backToDashboard}
          </ButtonLink>
          <AccountActions logout={texts.payment.logout} />
        </>
      }
    >
      <View key={packageType} packageType={packageType} requests={requests} purchase={purchase} onSubmitted={setFollowed} />
      <History packageType={packageType} />
    </Page>
  );
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
