import { useState } from "react";
import { errors, ProductError } from "#domain/messages";
import { resendPauseSeconds } from "#domain/verification";
import { api } from "../../platform/api.ts";
import { messageOf } from "../../platform/errors.ts";
import { useSecondsLeft } from "../../platform/use-seconds-left.ts";

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
  const [pause, setPause] = useState<{ start: number; ms: number }>();
  const secondsLeft = useSecondsLeft(pause?.start, pause?.ms ?? 0);

  const pauseFor = (seconds: number): void => setPause({ start: Date.now(), ms: seconds * 1000 });
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
