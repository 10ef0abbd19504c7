import type { ReactNode } from "react";
import { packages, type PackageType } from "#domain/packages";
import { texts } from "#domain/texts/texts";
import { AccountActions } from "../../entities/session/account-actions.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";

/** The page around what is to be paid. */
export function PaymentFrame({ children }: { children: ReactNode }): ReactNode {
  return (
    <Page
      actions={
        <>
          <ButtonLink to="/student" variant="quiet" size="small">
            {texts.payment.backToDashboard}
          </ButtonLink>
          <AccountActions logout={texts.payment.logout} />
        </>
      }
    >
      {children}
    </Page>
  );
}

export function PackageHeading({ packageType }: { packageType: PackageType }): ReactNode {
  return (
    <h1 tabIndex={-1} className="text-heading outline-none">
      {packages[packageType].name} package
    </h1>
  );
}

/** What the steps below it come to. */
export function CheckoutLead({ isFree = false }: { isFree?: boolean }): ReactNode {
  return (
    <p className="mt-2 mb-6 text-muted">
      {isFree
        ? "One button, and we unlock the course once we have looked at your request."
        : "Pay once, upload a screenshot, and we unlock the course."}
    </p>
  );
}
