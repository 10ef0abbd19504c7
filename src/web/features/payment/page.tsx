import { useState, type ComponentType, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { PaymentRequest } from "#domain/api/payment-requests";
import { packages, packageTypes, type PackageType } from "#domain/packages";
import { texts } from "#domain/texts";
import { useLogout } from "../../platform/session.tsx";
import { useTitle } from "../../platform/site.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Checkout, type CheckoutParts } from "./checkout.tsx";

interface PaymentPageProps {
  /** What other features put into the page. */
  parts: CheckoutParts & {
    /** What becomes of a request that has just been submitted. */
    Submitted: ComponentType<{ request: PaymentRequest; onSubmitAgain: () => void }>;
    /** The student's payments so far. */
    History: ComponentType<{ packageType: PackageType }>;
  };
}

/** Buys the package that the address names, Starter where it names none. */
export function PaymentPage({ parts }: PaymentPageProps): ReactNode {
  const [params] = useSearchParams();
  const asked = params.get("package");
  const packageType: PackageType = packageTypes.find((type) => type === asked) ?? "starter";
  const [submitted, setSubmitted] = useState<PaymentRequest>();
  const [isRetry, setRetry] = useState(false);
  const logout = useLogout();
  useTitle(`${packages[packageType].name} package`);

  const submitAgain = (): void => {
    setSubmitted(undefined);
    setRetry(true);
  };
  if (submitted?.package_type === packageType) return <parts.Submitted request={submitted} onSubmitAgain={submitAgain} />;
  return (
    <Page
      actions={
        <>
          <ButtonLink to="/student" kind="quiet" size="small" className="min-h-11">
            {texts.payment.backToDashboard}
          </ButtonLink>
          <Button kind="secondary" size="small" className="min-h-11" onClick={() => void logout()}>
            {texts.payment.logout}
          </Button>
        </>
      }
    >
      <Checkout key={packageType} packageType={packageType} parts={parts} takesFocus={isRetry} onSubmitted={setSubmitted} />
      <parts.History packageType={packageType} />
    </Page>
  );
}
