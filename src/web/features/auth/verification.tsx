import { useMutation } from "@tanstack/react-query";
import { useEffect, useState, type ReactNode } from "react";
import type { Me } from "#domain/api/account";
import { errors } from "#domain/errors/messages";
import { texts } from "#domain/texts/texts";
import { codeLength, digitsOf, isCompleteCode } from "#domain/accounts/verification";
import { refreshMe } from "../../entities/session/session.tsx";
import { api } from "../../platform/api.ts";
import { endSession } from "../../platform/auth-client.ts";
import { isBeyondUser, isTransient, messageOf, refusal } from "../../platform/errors.ts";
import { useTitle } from "../../platform/site.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { CodeBoxes } from "../../ui/code-boxes.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { Frame, TextButton } from "./frame.tsx";
import type { CodeSending } from "./use-code-sending.ts";

async function verify(code: string): Promise<void> {
  if (!isCompleteCode(code)) throw refusal("verification_code_incomplete");
  await api.account.verifyEmail({ code });
}

/** The boxes for the code; a student who is not verified sees them on every page. */
export function Verification({ me, sending }: { me: Me; sending: CodeSending }): ReactNode {
  const [code, setCode] = useState("");
  const [tries, setTries] = useState(0);
  useTitle("Verify your email");
  const verification = useMutation({
    mutationFn: verify,
    // As specified: every page then starts from a verified account.
    onSuccess: () => location.reload(),
    onError: (error) => {
      if (!isCompleteCode(code)) return;
      void refreshMe();
      // A wrong code is typed again, not corrected; one that was not tried is sent again. The boxes get the focus.
      if (!isTransient(error)) setCode("");
      setTries((before) => before + 1);
    },
  });
  useNewsOfCode();
  const error = verification.error ? messageOf(verification.error, "verification_failed") : undefined;
  const isBusy = verification.isPending || verification.isSuccess;

  const isSending = sending.status === "pending";
  const isUnsent = !isSending && (sending.hasFirstFailed || me.verification?.mail_failed === true);
  const isUsedUp = !isSending && !isUnsent && me.verification?.tries_left === 0;
  const address = <strong className="font-medium wrap-anywhere text-ink">{me.email}</strong>;

  return (
    <Frame
      title={isUnsent ? errors.verification_email_failed.text : "Verify your email"}
      lead={
        isUnsent ? (
          <>
            Your account is there, but no code has reached {address}. Ask for another code below, or go back and correct the
            address.
          </>
        ) : (
          <>Enter the 6-digit code we sent to {address}.</>
        )
      }
    >
      <form
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) verification.mutate(code);
        }}
        noValidate
      >
        <CodeBoxes
          key={tries}
          label="Verification code"
          length={codeLength}
          value={code}
          onChange={(next) => {
            verification.reset();
            setCode(digitsOf(next));
          }}
          disabled={isBusy}
          invalid={error !== undefined}
          describedBy={error === undefined ? "code-note" : "code-error code-note"}
        />
        {error !== undefined && (
          <Banner id="code-error" tone="loss" offersHelp={isBeyondUser(verification.error)}>
            {error}
          </Banner>
        )}
        {isUsedUp && (
          <Banner tone="caution">
            No code works now: each ends after five tries or ten minutes. Please ask for a new one with "Resend code".
          </Banner>
        )}
        <Button type="submit" size="large" isBusy={isBusy} disabled={!isCompleteCode(code)}>
          {isBusy ? texts.verification.verifying : texts.verification.verify}
        </Button>
      </form>
      <div className="grid gap-3 border-t border-line pt-5">
        <p id="code-note" className="text-small text-muted">
          The code expires in 10 minutes. If it does not arrive, please check your spam folder.
        </p>
        <Resend me={me} sending={sending} />
        <p>
          <Button variant="secondary" size="compact" disabled={isBusy} onClick={() => void endSession()}>
            {texts.verification.back}
          </Button>
        </p>
      </div>
    </Frame>
  );
}

/** Milliseconds between two polls of whether the mail was sent. */
const lookAgainMs = 10_000;

/** Polls the status of the code: its mail may fail after it was accepted (VERIFY-7). */
function useNewsOfCode(): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void refreshMe();
    }, lookAgainMs);
    return () => clearInterval(timer);
  }, []);
}

function Resend({ me, sending }: { me: Me; sending: CodeSending }): ReactNode {
  const { status, secondsLeft, resend } = sending;
  const isWaiting = status === "pending" || secondsLeft > 0;
  return (
    <>
      <FormError form={sending} />
      <p className="flex flex-wrap items-center gap-x-2 text-small text-muted">
        No code yet?
        <TextButton disabled={isWaiting} onClick={() => resend({ email: me.email, fullName: me.full_name })}>
          {status === "pending" ? "Sending..." : "Resend code"}
        </TextButton>
        {secondsLeft > 0 && <span className="figures">{`in ${secondsLeft} s`}</span>}
      </p>
      <p role="status" className="text-small text-gain empty:hidden">
        {status === "success" && me.verification?.mail_failed !== true ? "A code is on its way." : ""}
      </p>
    </>
  );
}
