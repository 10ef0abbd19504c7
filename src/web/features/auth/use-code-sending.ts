import { useEffect, useState } from "react";
import { errors, ProductError } from "#domain/messages";
import { resendPauseSeconds } from "#domain/verification";
import { api } from "../../platform/api.ts";
import { messageOf } from "../../platform/errors.ts";

export interface CodeSending {
  state: "idle" | "sending" | "sent" | "failed";
  /** Whole seconds until another code may be asked for. */
  secondsLeft: number;
  error: string | undefined;
  /** The first code, after sign-up: a failure is only logged and leaves the resend open. */
  send: (who: { email: string; fullName: string }) => void;
  resend: (who: { email: string; fullName: string }) => void;
}

/** Sends codes and counts down the pause between two, which the server keeps. */
export function useCodeSending(): CodeSending {
  const [state, setState] = useState<CodeSending["state"]>("idle");
  const [error, setError] = useState<string>();
  const [allowedAt, setAllowedAt] = useState(0);
  const secondsLeft = useSecondsUntil(allowedAt);

  const pauseFor = (seconds: number): void => setAllowedAt(Date.now() + seconds * 1000);
  const request = async (who: { email: string; fullName: string }, isResend: boolean): Promise<void> => {
    setState("sending");
    setError(undefined);
    try {
      const { resend_after } = await api.account.sendVerificationEmail(who);
      pauseFor(resend_after);
      setState("sent");
    } catch (thrown) {
      const problem = thrown as ProductError;
      if (problem.code === "email_already_verified") location.reload();
      if (problem.status === 429) pauseFor(problem.retryAfter ?? resendPauseSeconds);
      setState("failed");
      setError(isResend ? messageOf(thrown, "resend_failed") : errors.verification_email_failed.text);
    }
  };
  return {
    state,
    secondsLeft,
    error,
    send: (who) => void request(who, false),
    resend: (who) => void request(who, true),
  };
}

function useSecondsUntil(moment: number): number {
  const [now, setNow] = useState(Date.now);
  const left = Math.max(0, Math.ceil((moment - now) / 1000));
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() >= moment) clearInterval(timer);
    }, 500);
    return () => clearInterval(timer);
  }, [moment]);
  return left;
}
