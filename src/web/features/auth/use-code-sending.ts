import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { normaliseEmail } from "#domain/accounts/accounts";
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

const nothingSent = { status: "idle", error: null, variables: undefined } as const;

/** Sends verification codes, and counts down the pause between two that the server demands, also after a reload (VERIFY-7). */
export function useCodeSending(session: SessionState) {
  const me = session.status === "signed-in" ? session.me : undefined;
  const [pause, setPause] = useState<{ email: string; start: number; ms: number }>();
  const ownPause = pause?.email === me?.email ? pause : undefined;
  const own = useSecondsLeft(ownPause?.start, ownPause?.ms ?? 0);
  const { asOf, resendAfter } = knownPause(session);
  const known = useSecondsLeft(asOf, resendAfter * 1000);
  const pauseFor = (email: string, seconds: number): void => setPause({ email, start: Date.now(), ms: seconds * 1000 });

  const { mutate, ...sending } = useMutation({
    mutationFn: sendCode,
    onSuccess: ({ resend_after }, { email }) => pauseFor(email, resend_after),
    onError: (thrown, { email }) => {
      const { code, status: httpStatus, retryAfter } = productErrorOf(thrown);
      if (code === "email_already_verified") location.reload();
      if (httpStatus === 429) pauseFor(email, retryAfter ?? resendPauseSeconds);
      // Only the reply may have been lost.
      void refreshMe();
    },
  });
  // The page stays open while another account signs in, whose code this was not.
  const { status, error, variables } = sending.variables?.email === me?.email ? sending : nothingSent;
  const isFirst = variables?.isResend === false;
  return {
    status,
    /** Of a first code, the heading says so. */
    error: error && !isFirst ? messageOf(error, "resend_failed") : undefined,
    offersHelp: error !== null && isBeyondUser(error),
    /** Whether the first code, after sign-up, could not be sent. */
    hasFirstFailed:
      error !== null && isFirst && productErrorOf(error).code !== "code_resend_too_soon" && me?.verification?.tries_left === 0,
    /** Whole seconds until another code may be requested. */
    secondsLeft: Math.max(own, known),
    /** Sends the first code, after sign-up. */
    send: ({ email, fullName }: Recipient) => mutate({ email: normaliseEmail(email), fullName, isResend: false }),
    resend: (recipient: Recipient) => mutate({ ...recipient, isResend: true }),
  };
}

function knownPause(session: SessionState): { asOf: number | undefined; resendAfter: number } {
  if (session.status !== "signed-in") return { asOf: undefined, resendAfter: 0 };
  return { asOf: session.asOf, resendAfter: session.me.verification?.resend_after ?? 0 };
}
