import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { errors } from "#domain/errors/messages";
import { resendPauseSeconds } from "#domain/accounts/verification";
import { refreshMe, type SessionState } from "../../entities/session/session.tsx";
import { api } from "../../platform/api.ts";
import { isBeyondUser, messageOf, productErrorOf } from "../../platform/errors.ts";
import { useSecondsLeft } from "../../platform/timing/use-seconds-left.ts";

interface Recipient {
  email: string;
  fullName: string;
}

async function sendCode({ email, fullName }: Recipient & { isResend: boolean }): Promise<{ resend_after: number }> {
  const sent = await api.account.sendVerificationEmail({ email, fullName });
  // The status of the newest code: its tries, and whether its mail was sent.
  await refreshMe();
  return sent;
}

export type CodeSending = ReturnType<typeof useCodeSending>;

/** Sends verification codes, and counts down the pause between two that the server demands, also after a reload (VERIFY-7). */
export function useCodeSending(session: SessionState) {
  const [pause, setPause] = useState<{ start: number; ms: number }>();
  const own = useSecondsLeft(pause?.start, pause?.ms ?? 0);
  const { asOf, resendAfter } = knownPause(session);
  const known = useSecondsLeft(asOf, resendAfter * 1000);
  const pauseFor = (seconds: number): void => setPause({ start: Date.now(), ms: seconds * 1000 });

  const { mutate, status, error, variables } = useMutation({
    mutationFn: sendCode,
    onSuccess: ({ resend_after }) => pauseFor(resend_after),
    onError: (thrown) => {
      const { code, status: httpStatus, retryAfter } = productErrorOf(thrown);
      if (code === "email_already_verified") location.reload();
      if (httpStatus === 429) pauseFor(retryAfter ?? resendPauseSeconds);
    },
  });
  const text = variables?.isResend ? messageOf(error, "resend_failed") : errors.verification_email_failed.text;
  return {
    status,
    error: error ? text : undefined,
    offersHelp: error !== null && isBeyondUser(error),
    /** Whether the first code, after sign-up, could not be sent. */
    hasFirstFailed: error !== null && variables !== undefined && !variables.isResend,
    /** Whole seconds until another code may be requested. */
    secondsLeft: Math.max(own, known),
    /** Sends the first code, after sign-up. */
    send: (recipient: Recipient) => mutate({ ...recipient, isResend: false }),
    resend: (recipient: Recipient) => mutate({ ...recipient, isResend: true }),
  };
}

function knownPause(session: SessionState): { asOf: number | undefined; resendAfter: number } {
  if (session.status !== "signed-in") return { asOf: undefined, resendAfter: 0 };
  return { asOf: session.asOf, resendAfter: session.me.verification?.resend_after ?? 0 };
}
