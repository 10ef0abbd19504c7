import { useState, type ReactNode } from "react";
import { Navigate, useLocation, useNavigate, useSearchParams } from "react-router";
import { ownPageOf, signInFormOf, signInPage } from "#domain/accounts/next-page";
import { texts } from "#domain/texts/texts";
import { Unreachable } from "../../entities/session/guards.tsx";
import { homeOf, useSession } from "../../entities/session/session.tsx";
import { PageLoading } from "../../ui/spinner.tsx";
import { AccountForm } from "./account-form.tsx";
import { ForgotForm } from "./forgot-form.tsx";
import { NewPassword, taken, useRecovery } from "./new-password.tsx";
import { SecondFactor } from "./second-factor.tsx";
import { useCodeSending } from "./use-code-sending.ts";
import { Verification } from "./verification.tsx";

/** Sign-in, sign-up, verification and the forgotten password; each leads on to the page that was wanted (JOURNEY-1). */
export function AuthPage(): ReactNode {
  const session = useSession();
  const [params] = useSearchParams();
  const asked = signInFormOf(Object.fromEntries(params));
  const navigate = useNavigate();
  const location = useLocation();
  // Typed into one form, for the other; never in the address.
  const [email, setEmail] = useState("");
  const sending = useCodeSending(session);
  const next = ownPageOf(params.get("next"));
  const recovery = useRecovery();
  // Without a backend the sample student is always there, and the form must still be seen (DEMO-2).
  const isDemo = import.meta.env.MODE === "demo";
  // Back from a later step leads to empty fields.
  if (!isDemo && email !== "" && (session.status === "signed-in" || session.status === "second-factor")) setEmail("");

  if (session.status === "loading") return <PageLoading text={texts.session.loading} />;
  if (session.status === "unreachable") return <Unreachable error={session.error} retry={session.retry} />;
  // A fresh link is redeemed first: it starts another session.
  if (session.status === "second-factor" && (recovery === null || recovery.token === taken)) return <SecondFactor />;
  if (recovery !== null && !isDemo)
    return <NewPassword {...recovery} next={next} signedIn={session.status === "signed-in" ? session.me.id : undefined} />;
  if (session.status === "signed-in" && !isDemo) {
    const isProven = session.me.role === "admin" || session.me.email_verified;
    if (isProven) return <Navigate to={next ?? homeOf(session.me)} replace />;
    return <Verification me={session.me} sending={sending} />;
  }
  if (asked.mode === "forgot") {
    const isStep = (location.state as { isStep?: boolean } | null)?.isStep === true;
    const back = (): void => void (isStep ? navigate(-1) : navigate(signInPage(next), { replace: true }));
    return <ForgotForm next={next} email={email} onEmail={setEmail} onBack={back} />;
  }
  // A step of the history, so that Back returns to the form for signing in.
  const toForgot = (typed: string): void => {
    setEmail(typed);
    void navigate(signInPage(next, "forgot"), { state: { isStep: true } });
  };
  return (
    <AccountForm
      mode={asked.mode}
      chosen={asked.chosen}
      onMode={(mode) => void navigate(signInPage(next, mode), { replace: true, preventScrollReset: true })}
      email={email}
      onForgot={toForgot}
      onSignedUp={sending.send}
    />
  );
}
