import { useEffect, useId, type ReactNode } from "react";
import type { LiveOccurrence } from "#domain/api/course/live-sessions";
import { dayAndTime } from "../../platform/format.ts";
import { useClockSet } from "../../platform/timing/use-clock-set.ts";
import { useSecondsLeft } from "../../platform/timing/use-seconds-left.ts";
import { Badge } from "../../ui/badge.tsx";
import { Panel } from "../../ui/panel.tsx";
import { CalendarActions } from "./calendar-actions.tsx";
import { Join, NextOccurrence } from "./next-occurrence.tsx";
import { useComingOccurrences, useRecordedOccurrences, type Occurrences } from "./queries.ts";
import { Recordings } from "./recordings.tsx";
import { ReminderChoice } from "./reminder-choice.tsx";

interface LiveSessionsProps {
  /** Whether a request for Advanced is open, whose own card has the next step. */
  hasAskedForAdvanced: boolean;
}

const none: Omit<Occurrences, "offset"> = { items: [], hasMore: false, clockLead: 0 };

/** The next live session, those after it, and recordings of past ones. Nothing before the first is planned. */
export function LiveSessions({ hasAskedForAdvanced }: LiveSessionsProps): ReactNode {
  const { data, refetch } = useComingOccurrences();
  const { items: coming, hasMore, clockLead } = data ?? none;
  const { items: recorded } = useRecordedOccurrences().data ?? none;
  const id = useId();
  // The lead is measured anew.
  useClockSet(data?.offset, refetch);
  // By the server's clock. Counted down to the end of the last, so that each one leaves by itself when it ends.
  const lastEnd = Math.max(...coming.map(({ ends_at }) => Date.parse(ends_at)));
  const now = lastEnd - 1000 * useSecondsLeft(clockLead, lastEnd);
  const occurrences = coming.filter(({ ends_at }) => Date.parse(ends_at) > now);
  const next = occurrences.find(({ cancelled }) => !cancelled);
  const isNextUnread = next === undefined && hasMore;
  useEffect(() => {
    if (isNextUnread) void refetch();
  }, [isNextUnread, refetch]);
  const others = occurrences.filter((one) => one !== next);
  if (occurrences.length === 0 && recorded.length === 0) return null;
  return (
    <Panel aria-labelledby={id} className="grid gap-5">
      <h2 id={id} className="text-title">
        {next ? "Next live session" : "Live sessions"}
      </h2>
      {next && <NextOccurrence key={next.id} occurrence={next} {...{ clockLead, hasAskedForAdvanced }} />}
      {others.length > 0 && <Others occurrences={others} {...{ now, clockLead }} />}
      {next?.included === true && (
        <div className="grid gap-4 border-t border-line pt-5">
          <CalendarActions occurrence={next} />
          <ReminderChoice />
        </div>
      )}
      {recorded.length > 0 && <Recordings occurrences={recorded} />}
    </Panel>
  );
}

interface OthersProps {
  occurrences: LiveOccurrence[];
  now: number;
  clockLead: number;
}

/** Those after the next one. One that overlaps it can be joined as well. */
function Others({ occurrences, now, clockLead }: OthersProps): ReactNode {
  return (
    <ul aria-label="More live sessions" className="divide-y divide-line border-t border-line">
      {occurrences.map((occurrence) => (
        <li key={occurrence.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-2.5 text-small">
          <span className="flex min-w-0 flex-wrap items-center gap-2">
            <span className="min-w-0 wrap-anywhere">{occurrence.title}</span>
            {occurrence.cancelled ? (
              <Badge tone="loss">Cancelled</Badge>
            ) : (
              occurrence.moved && <Badge tone="caution">Moved</Badge>
            )}
          </span>
          <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <time dateTime={occurrence.starts_at} className="figures text-muted">
              {dayAndTime(occurrence.starts_at)}
            </time>
            {canJoin(occurrence, now) && <Join {...{ occurrence, clockLead }} size="small" />}
          </span>
        </li>
      ))}
    </ul>
  );
}

function canJoin({ included, cancelled, join_opens_at }: LiveOccurrence, now: number): boolean {
  return included && !cancelled && Date.parse(join_opens_at) <= now;
}
