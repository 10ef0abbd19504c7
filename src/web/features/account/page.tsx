import type { ReactNode } from "react";
import { texts } from "#domain/texts/texts";
import { LogoutButton } from "../../entities/session/account-actions.tsx";
import { useMe } from "../../entities/session/session.tsx";
import { useTitle } from "../../platform/site.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { EmailPanel } from "./email-panel.tsx";
import { MailsPanel } from "./mails-panel.tsx";
import { NamePanel } from "./name-panel.tsx";
import { PasswordPanel } from "./password-panel.tsx";
import { SecondFactorPanel } from "./second-factor-panel.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";

/** The account page: name, address, password, mails, second factor and sessions. */
export function AccountPage(): ReactNode {
  const me = useMe();
  useTitle("Account");
  const isAdmin = me.role === "admin";
  return (
    <Page
      actions={
        <>
          <ButtonLink to={isAdmin ? "/admin" : "/student"} variant="quiet" size="small">
            {texts.payment.backToDashboard}
          </ButtonLink>
          <LogoutButton label={isAdmin ? texts.admin.logout : texts.student.logout} />
        </>
      }
    >
      <div className="grid gap-8">
        <div>
          <h1 className="text-heading">Your account</h1>
          <p className="mt-2 wrap-anywhere text-muted">{me.email}</p>
        </div>
        <div className="grid items-start gap-6 lg:grid-cols-2">
          <div className="grid gap-6">
            <NamePanel me={me} />
            <EmailPanel me={me} />
            <PasswordPanel me={me} />
            {!isAdmin && <MailsPanel tier={me.subscription_status} />}
          </div>
          <div className="grid gap-6">
            <SecondFactorPanel />
            <SessionsPanel />
          </div>
        </div>
      </div>
    </Page>
  );
}
