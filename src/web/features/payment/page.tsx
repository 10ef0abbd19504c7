import { useState, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { PaymentRequest } from "#domain/api/payment-requests";
import { packages, packageTypes, type PackageType } from "#domain/packages";
import { texts } from "#domain/texts/texts";
import { AccountActions } from "../../entities/session/account-actions.tsx";
import { useTitle } from "../../platform/site.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Checkout } from "./checkout.tsx";
import { History } from "./history.tsx";
import { Submitted } from "./submitted.tsx";

/** Buys the package that the address names, Starter where it names none. */
export function PaymentPage(): ReactNode {
  const [params] = useSearchParams();
  const asked = params.get("package");
  const packageType: PackageType = packageTypes.find((type) => type === asked) ?? "starter";
  const [submitted, setSubmitted] = useState<PaymentRequest>();
  const [isRetry, setRetry] = useState(false);
  useTitle(`${packages[packageType].name} package`);

  const submitAgain = (): void => {
    setSubmitted(undefined);
    setRetry(true);
  };
  if (submitted?.package_type === packageType) return <Submitted request={submitted} onSubmitAgain={submitAgain} />;
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
      <Checkout key={packageType} packageType={packageType} takesFocus={isRetry} onSubmitted={setSubmitted} />
      <History packageType={packageType} />
    </Page>
  );
}
