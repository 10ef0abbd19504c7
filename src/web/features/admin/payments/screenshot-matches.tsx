import { CopyCheck, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { ReviewedPaymentRequest } from "#domain/api/payment-requests";
import type { ScreenshotMatch } from "#domain/evidence/screenshot";
import { day } from "../../../platform/format.ts";
import { cx } from "../../../ui/cx.ts";
import { EmailAddress } from "../email-address.tsx";

/** Which other requests have this screenshot: a warning where they are somebody else's, a remark where they are the student's own, or where nothing could be compared. */
export function ScreenshotMatches({ request }: { request: ReviewedPaymentRequest }): ReactNode {
  const own = request.screenshot_matches.filter(({ email }) => email === request.email);
  const foreign = request.screenshot_matches.filter(({ email }) => email !== request.email);
  return (
    <>
      <Matches isWarning matches={foreign} />
      <Matches isWarning={false} matches={own} />
      {request.screenshot_verdict === "not_compared" && (
        <p className="mt-1 max-w-80 text-left text-small text-muted lg:w-34 xl:w-36">
          Could not be compared with earlier screenshots
        </p>
      )}
    </>
  );
}

function Matches({ isWarning, matches }: { isWarning: boolean; matches: ScreenshotMatch[] }): ReactNode {
  if (matches.length === 0) return null;
  const Icon = isWarning ? TriangleAlert : CopyCheck;
  return (
    <div
      data-tone={isWarning ? "caution" : "neutral"}
      className={cx(
        "mt-1 max-w-80 rounded-control border px-2.5 py-2 text-left text-small lg:w-34 xl:w-36",
        isWarning ? "border-caution/40 bg-caution-soft text-caution" : "border-line text-muted",
      )}
    >
      <p className="flex items-center gap-1.5 font-semibold">
        <Icon aria-hidden className="size-4 shrink-0" />
        {isWarning ? "Seen before" : "Sent again"}
      </p>
      <ul className="mt-0.5 space-y-1.5">
        {matches.map((match) => (
          <li key={match.payment_request_id} className="wrap-anywhere">
            {isWarning ? foreignText(match) : ownText(match)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function foreignText(match: ScreenshotMatch): ReactNode {
  return (
    <>
      {match.kind === "same_file" ? "Same file as the request of " : "Looks like the screenshot of "}
      <span className="font-medium">
        <EmailAddress email={match.email} />
      </span>
      , {day(match.created_at)} ({match.status})
    </>
  );
}

function ownText(match: ScreenshotMatch): string {
  const what = match.kind === "same_file" ? "Same file as" : "Looks like";
  return `${what} their own request of ${day(match.created_at)} (${match.status})`;
}
