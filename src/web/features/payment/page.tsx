import { useState, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import { packages, packageTypes, type PackageType } from "#domain/packages";
import { texts } from "#domain/texts";
import { useLogout } from "../../platform/session.tsx";
import { useTitle } from "../../platform/site.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Checkout } from "./checkout.tsx";
import { Submitted } from "./submitted.tsx";

/** Buys the package that the address names, Starter where it names none. */
export function PaymentPage(): ReactNode {
  const [params] = useSearchParams();
  const asked = params.get("package");
  const packageType: PackageType = packageTypes.find((type) => type === asked) ?? "starter";
  const [submitted, setSubmitted] = useState<PackageType>();
  const logout = useLogout();
  useTitle(`${packages[packageType].name} package`);

  if (submitted === packageType) return <Submitted />;
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
      <Checkout key={packageType} packageType={packageType} onSubmitted={() => setSubmitted(packageType)} />
    </Page>
  );
}
