import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { errors } from "#domain/errors/messages";
import { resendPauseSeconds } from "#domain/accounts/verification";
import { api } from "../../platform/api.ts";
import { messageOf, productErrorOf } from "../../platform/errors.ts";
import { useSecondsLeft } from "../../platform/use-seconds-left.ts";

interface Recipient {
  email: string;
  fullName: string;
}

function sendCode({ email, fullName }: Recipient & { isResend: boolean }): Promise<{ resend_after: number }> {
  return api.account.sendVerificationEmail({ email, fullName });
}

export type CodeSending = ReturnType<typeof useCodeSending>;

/** Sends verification codes, and counts down the pause between two that the server demands. */
export function useCodeSending() {
  const [pause, setPause] = useState<{ start: number; ms: number }>();
  const secondsLeft = useSecondsLeft(pause?.start, pause?.ms ?? 0);
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
    /** Whole seconds until another code may be requested. */
    secondsLeft,
    /** Sends the first code, after sign-up. */
    send: (recipient: Recipient) => mutate({ ...recipient, isResend: false }),
    resend: (recipient: Recipient) => mutate({ ...recipient, isResend: true }),
  };
}
