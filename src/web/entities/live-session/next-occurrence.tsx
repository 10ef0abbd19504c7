import { Lock, Video } from "lucide-react";
import type { ReactNode } from "react";
import { paymentPage } from "#domain/accounts/next-page";
import type { LiveOccurrence } from "#domain/api/course/live-sessions";
import { joinOpensMinutes } from "#domain/live-sessions/live-session";
import { countdown, dayAndTime, displayedTimeZone, timeOfDay } from "../../platform/format.ts";
import { useSecondsLeft } from "../../platform/timing/use-seconds-left.ts";
import { ActionError } from "../../ui/action-error.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button, ButtonLink, type ButtonSize } from "../../ui/button.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { useJoin } from "./queries.ts";
import { timeZoneName } from "./time-zones.ts";

interface NextOccurrenceProps {
  occurrence: LiveOccurrence;
  clockLead: number;
  hasAskedForAdvanced: boolean;
}

/** When the next one is, in the reader's own time, and the way in (LIVESESSION-3). */
export function NextOccurrence({ occurrence, clockLead, hasAskedForAdvanced }: NextOccurrenceProps): ReactNode {
  const { title, description, starts_at, ends_at, moved, included } = occurrence;
  const untilStart = useSecondsLeft(clockLead, Date.parse(starts_at));
  return (
    <div className="grid gap-x-12 gap-y-5 md:grid-cols-[1fr_16rem]">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="text-lead font-semibold wrap-anywhere">{title}</h3>
          {moved && <Badge tone="caution">Moved</Badge>}
        </div>
        <p className="mt-1">
          <time dateTime={starts_at} className="figures font-medium">
            {`${dayAndTime(starts_at)} to ${timeOfDay(ends_at)}`}
          </time>{" "}
          <span className="text-small text-muted">in your time, {timeZoneName(displayedTimeZone())}</span>
        </p>
        <p className="mt-2 max-w-[65ch] text-small wrap-anywhere whitespace-pre-line text-muted">{description}</p>
      </div>
      <div className="flex flex-col gap-3">
        <p role="timer" className="flex flex-col">
          <span className="text-small text-muted">{untilStart > 0 ? "Starts in" : "Live now"}</span>
          <span className="figures text-heading font-semibold tracking-tight">
            {untilStart > 0 ? countdown(untilStart) : `until ${timeOfDay(ends_at)}`}
          </span>
        </p>
        {included ? <Join {...{ occurrence, clockLead }} /> : <PartOfAdvanced hasAsked={hasAskedForAdvanced} />}
      </div>
    </div>
  );
}

interface JoinProps {
  occurrence: LiveOccurrence;
  clockLead: number;
  size?: ButtonSize;
}

/** The way into a session, which is open from some minutes before its start on. */
export function Join({ occurrence: { id, title, join_opens_at }, clockLead, size = "regular" }: JoinProps): ReactNode {
  const isOpen = useSecondsLeft(clockLead, Date.parse(join_opens_at)) === 0;
  const join = useJoin(id);
  return (
    <>
      <ActionError error={join.error} />
      <Button size={size} disabled={!isOpen || join.isPending} onClick={() => join.mutate()}>
        {join.isPending ? <Spinner /> : <Video aria-hidden className="size-4" />}
        Join
        <span className="sr-only">{title}, in a new tab</span>
      </Button>
      {!isOpen && (
        <p className="figures text-small text-muted">
          {`Opens ${joinOpensMinutes} minutes before, at ${timeOfDay(join_opens_at)}.`}
        </p>
      )}
    </>
  );
}

function PartOfAdvanced({ hasAsked }: { hasAsked: boolean }): ReactNode {
  return (
    <>
      <p className="flex items-center gap-2 text-small font-medium text-muted">
        <Lock aria-hidden className="size-4 shrink-0" />
        Live sessions are part of Advanced.
      </p>
      {!hasAsked && (
        <ButtonLink variant="secondary" to={paymentPage("advanced")}>
          Get Advanced
        </ButtonLink>
      )}
    </>
  );
}
