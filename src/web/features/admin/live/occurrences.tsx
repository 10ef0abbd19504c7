import { useId, useState, type ReactNode } from "react";
import type { LiveOccurrence } from "#domain/api/course/live-sessions";
import { timeZoneName } from "../../../entities/live-session/time-zones.ts";
import { messageOf } from "../../../platform/errors.ts";
import { dayAndTime, displayedTimeZone } from "../../../platform/format.ts";
import { useSecondsLeft } from "../../../platform/timing/use-seconds-left.ts";
import { ActionError } from "../../../ui/action-error.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { Panel, PanelTitle } from "../../../ui/panel.tsx";
import { ShowMore } from "../show-more.tsx";
import { MoveDialog } from "./move-dialog.tsx";
import { useChangeOccurrence, useOccurrences } from "./queries.ts";
import { RecordingDialog } from "./recording-dialog.tsx";

const titles = { coming: "Coming", past: "Past" };

type Asked = "cancel" | "move" | "record";

/** Coming or past occurrences, with what can be done to each; nothing where there are none. */
export function Occurrences({ when }: { when: "coming" | "past" }): ReactNode {
  const occurrences = useOccurrences(when);
  const [asked, setAsked] = useState<{ what: Asked; occurrence: LiveOccurrence }>();
  const id = useId();
  const rows = occurrences.data ?? [];
  const inQuestion = (what: Asked): LiveOccurrence | undefined => (asked?.what === what ? asked.occurrence : undefined);
  const close = (): void => setAsked(undefined);
  if (rows.length === 0) return null;
  return (
    <Panel aria-labelledby={id}>
      <PanelTitle id={id} aside={<span className="text-small text-muted">Your time, {timeZoneName(displayedTimeZone())}</span>}>
        {titles[when]}
      </PanelTitle>
      <ul className="divide-y divide-line">
        {rows.map((occurrence) => (
          <li key={occurrence.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-2">
            <What occurrence={occurrence} />
            <Actions occurrence={occurrence} onAsk={(what) => setAsked({ what, occurrence })} />
          </li>
        ))}
      </ul>
      <ShowMore list={occurrences} />
      <CancelDialog occurrence={inQuestion("cancel")} onClose={close} />
      <MoveDialog key={`move ${asked?.occurrence.id}`} occurrence={inQuestion("move")} onClose={close} />
      <RecordingDialog key={`record ${asked?.occurrence.id}`} occurrence={inQuestion("record")} onClose={close} />
    </Panel>
  );
}

function What({ occurrence }: { occurrence: LiveOccurrence }): ReactNode {
  const { title, starts_at, cancelled, moved, recording } = occurrence;
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-2">
        <time dateTime={starts_at} className="figures font-medium">
          {dayAndTime(starts_at)}
        </time>
        {cancelled ? <Badge tone="loss">Cancelled</Badge> : moved && <Badge tone="caution">Moved</Badge>}
      </p>
      <p className="text-small wrap-anywhere text-muted">
        {title}
        {recording && ` · Recording: ${recording.title}`}
      </p>
    </div>
  );
}

function Actions({ occurrence, onAsk }: { occurrence: LiveOccurrence; onAsk: (what: Asked) => void }): ReactNode {
  const { id, starts_at, cancelled, recording } = occurrence;
  const restore = useChangeOccurrence();
  const hasBegun = useSecondsLeft(0, Date.parse(starts_at)) === 0;
  const of = <span className="sr-only"> {dayAndTime(starts_at)}</span>;
  const button = (label: string, onClick: () => void): ReactNode => (
    <Button variant="quiet" size="small" disabled={restore.isPending} onClick={onClick}>
      {label}
      {of}
    </Button>
  );
  if (hasBegun && cancelled) return null;
  return (
    <div>
      <div className="-mx-3 flex">
        {hasBegun ? (
          button(recording ? "Change recording" : "Add recording", () => onAsk("record"))
        ) : cancelled ? (
          button("Plan again", () => restore.mutate({ id, changes: { cancelled: false } }))
        ) : (
          <>
            {button("Move", () => onAsk("move"))}
            {button("Cancel", () => onAsk("cancel"))}
          </>
        )}
      </div>
      <ActionError error={restore.error} />
    </div>
  );
}

function CancelDialog({ occurrence, onClose }: { occurrence: LiveOccurrence | undefined; onClose: () => void }): ReactNode {
  const cancel = useChangeOccurrence();
  const close = (): void => {
    cancel.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={occurrence !== undefined}
      title="Cancel this date"
      confirmLabel="Yes, cancel it"
      isDangerous
      isBusy={cancel.isPending}
      error={cancel.error ? messageOf(cancel.error, "unexpected") : undefined}
      onConfirm={() => occurrence && cancel.mutate({ id: occurrence.id, changes: { cancelled: true } }, { onSuccess: close })}
      onCancel={close}
    >
      <p>Students see it as cancelled. Students who were already reminded of it get a mail.</p>
      <p className="font-medium wrap-anywhere text-ink">
        {occurrence && `${occurrence.title}, ${dayAndTime(occurrence.starts_at)}`}
      </p>
    </ConfirmDialog>
  );
}
