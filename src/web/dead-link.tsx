import { useEffect, useState, type ReactNode } from "react";
import { errors, type ErrorCode } from "#domain/errors/messages";
import { isAbort, logError } from "./platform/errors.ts";
import { useTitle } from "./platform/site.ts";
import { ButtonLink } from "./ui/button.tsx";
import { Notice } from "./ui/notice.tsx";

/** Refusals with a reason of their own, besides that the link has ended. */
const explained: readonly ErrorCode[] = ["playing_elsewhere", "link_other_browser", "video_locked", "account_deleted"];

/** Shown in place of a film or screenshot whose signed link is refused (FILE-11). */
export function DeadLinkPage(): ReactNode {
  const reason = useReason();
  useTitle("This link no longer opens");
  return (
    <Notice
      code="Link"
      title="This link no longer opens"
      backTo="/"
      backLabel="Back to the course page"
      action={<ButtonLink to="/auth">Sign in or open your dashboard</ButtonLink>}
    >
      {reason ?? (
        <>
          Links to films and screenshots end after a while, and at once when you sign out or change your password. Open the film
          or screenshot from your dashboard again.
        </>
      )}
    </Notice>
  );
}

/** Returns the reason of a refusal, if it has one of its own: the page is the same for every refusal, so it requests the address again as a program. */
function useReason(): string | undefined {
  const [reason, setReason] = useState<string>();
  useEffect(() => {
    const stop = new AbortController();
    readCode(stop.signal)
      .then((code) => setReason(explained.includes(code as ErrorCode) ? errors[code as ErrorCode].text : undefined))
      .catch((error: unknown) => isAbort(error) || logError(error));
    return () => stop.abort();
  }, []);
  return reason;
}

async function readCode(signal: AbortSignal): Promise<string | undefined> {
  const headers = { accept: "application/json", range: "bytes=0-0" };
  const reply = await fetch(location.href, { headers, cache: "no-store", signal });
  return reply.ok ? undefined : ((await reply.json()) as { code?: string }).code;
}
