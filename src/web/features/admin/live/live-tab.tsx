import { Plus } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { LiveSession } from "#domain/api/course/live-sessions";
import { liveSessionsKey } from "../../../entities/live-session/queries.ts";
import { timeZoneName } from "../../../entities/live-session/time-zones.ts";
import { api } from "../../../platform/api.ts";
import { calendarDay, weekday } from "../../../platform/format.ts";
import { Button } from "../../../ui/button.tsx";
import { Empty, Panel, PanelTitle } from "../../../ui/panel.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { DeleteDialog } from "../delete-dialog.tsx";
import { EditButtons } from "../edit-buttons.tsx";
import { useEditedRow } from "../editing/use-edited-row.ts";
import { EmptyLoadError } from "../empty-load-error.tsx";
import { ShowMore } from "../show-more.tsx";
import { Occurrences } from "./occurrences.tsx";
import { useLiveSessions } from "./queries.ts";
import { SessionForm } from "./session-form.tsx";

/** Live sessions: what is planned, when it takes place, and what became of past ones (LIVESESSION-1, LIVESESSION-4). */
export function LiveTab(): ReactNode {
  const sessions = useLiveSessions();
  const { edited, key, edit, made, close, forget } = useEditedRow<LiveSession>("live");
  const [deleting, setDeleting] = useState<LiveSession>();
  const rows = sessions.data ?? [];
  return (
    <div className="grid gap-6">
      {edited === undefined ? (
        <Button className="w-full sm:w-fit" onClick={() => edit("new")}>
          <Plus aria-hidden className="size-4" />
          Plan a live session
        </Button>
      ) : (
        <SessionForm key={key} session={edited === "new" ? undefined : edited} onMade={made} onClose={close} />
      )}
      {sessions.isPending ? (
        <Skeleton className="h-48" />
      ) : sessions.isLoadingError ? (
        <EmptyLoadError what="live sessions" retry={() => void sessions.refetch()} />
      ) : rows.length === 0 ? (
        <Empty title="No live sessions yet">Plan the first one: a single meeting, or one that repeats every week.</Empty>
      ) : (
        <>
          <Panel aria-label="Sessions">
            <PanelTitle>Sessions</PanelTitle>
            <ul className="divide-y divide-line">
              {rows.map((session) => (
                <li key={session.id} className="flex items-start justify-between gap-3 py-3">
                  <div className="min-w-0">
                    <p className="font-medium wrap-anywhere">{session.title}</p>
                    <p className="figures text-small text-muted">{planText(session)}</p>
                    <p className="text-small wrap-anywhere text-muted">{session.join_url}</p>
                  </div>
                  <div className="flex shrink-0">
                    <EditButtons name={session.title} onEdit={() => edit(session)} onDelete={() => setDeleting(session)} />
                  </div>
                </li>
              ))}
            </ul>
            <ShowMore list={sessions} />
          </Panel>
          <Occurrences when="coming" />
          <Occurrences when="past" />
        </>
      )}
      <DeleteDialog
        row={deleting}
        title="Delete live session"
        remove={async ({ id }) => {
          await api.liveSessions.remove({ params: { id } });
          forget([id]);
        }}
        queryKey={liveSessionsKey}
        onClose={() => setDeleting(undefined)}
      >
        <p>
          All its dates are deleted, past ones too. Recordings stay as lessons. Students who were reminded of a date get a mail.
        </p>
        <p className="font-medium wrap-anywhere text-ink">{deleting?.title}</p>
      </DeleteDialog>
    </div>
  );
}

function planText({ weekly, date, time, time_zone, duration_minutes, ends_on }: LiveSession): string {
  const days = weekly ? `Every ${weekday(date)}` : calendarDay(date);
  const end = ends_on === null ? "" : `, until ${calendarDay(ends_on)}`;
  return `${days} at ${time}, ${timeZoneName(time_zone)}, ${duration_minutes} min${end}`;
}
