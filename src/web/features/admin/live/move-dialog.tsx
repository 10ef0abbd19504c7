import type { ReactNode } from "react";
import * as z from "zod/mini";
import { NewLiveSession, type LiveOccurrence } from "#domain/api/course/live-sessions";
import { timeZoneName } from "../../../entities/live-session/time-zones.ts";
import { api } from "../../../platform/api.ts";
import { useForm } from "../../../platform/form.ts";
import { localTime } from "../../../platform/format.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { refreshLiveSessions } from "./queries.ts";

const MoveFields = z.pick(NewLiveSession, { date: true, time: true });

interface MoveDialogProps {
  /** The dialog is open while there is one. */
  occurrence: LiveOccurrence | undefined;
  onClose: () => void;
}

/** Asks for another day and time of one occurrence, in the time zone of its session (LIVESESSION-4). */
export function MoveDialog({ occurrence, onClose }: MoveDialogProps): ReactNode {
  const form = useForm({
    initial: occurrence ? localTime(occurrence.starts_at, occurrence.time_zone) : { date: "", time: "" },
    schema: MoveFields,
    mutationFn: async (moved_to) =>
      occurrence && api.liveSessions.changeOccurrence({ params: { id: occurrence.id }, body: { moved_to } }),
    fieldOfCode: { live_session_in_past: "date" },
    onSuccess: async () => {
      await refreshLiveSessions();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open={occurrence !== undefined}
      title="Move this date"
      confirmLabel="Move"
      isBusy={form.isPending}
      error={form.error}
      offersHelp={form.offersHelp}
      onConfirm={form.onSubmit}
      onCancel={onClose}
    >
      <p className="wrap-anywhere">
        {occurrence?.title}. The time is that of {occurrence && timeZoneName(occurrence.time_zone)}. Students who were already
        reminded of it get a mail.
      </p>
      <div className="grid gap-4 text-ink sm:grid-cols-2">
        <TextField label="Day" type="date" required className="figures" disabled={form.isPending} {...form.field("date")} />
        <TextField label="Time" type="time" required className="figures" disabled={form.isPending} {...form.field("time")} />
      </div>
    </ConfirmDialog>
  );
}
