import { useState, type ReactNode } from "react";
import type { LiveOccurrence } from "#domain/api/course/live-sessions";
import { useVideos } from "../../../entities/video/queries.ts";
import { messageOf } from "../../../platform/errors.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { SelectField } from "../../../ui/field.tsx";
import { useChangeOccurrence } from "./queries.ts";

interface RecordingDialogProps {
  /** The dialog is open while there is one. */
  occurrence: LiveOccurrence | undefined;
  onClose: () => void;
}

/** Asks which lesson is the recording of an occurrence (LIVESESSION-4). */
export function RecordingDialog({ occurrence, onClose }: RecordingDialogProps): ReactNode {
  const { data: videos = [] } = useVideos();
  const [videoId, setVideoId] = useState(occurrence?.recording?.video_id ?? "");
  const change = useChangeOccurrence();
  return (
    <ConfirmDialog
      open={occurrence !== undefined}
      title="Recording"
      confirmLabel="Save recording"
      isBusy={change.isPending}
      error={change.error ? messageOf(change.error, "unexpected") : undefined}
      onConfirm={() =>
        occurrence && change.mutate({ id: occurrence.id, changes: { video_id: videoId || null } }, { onSuccess: onClose })
      }
      onCancel={onClose}
    >
      <p className="wrap-anywhere">
        Add the film in the Videos tab first, then choose it here. Students find it with the live sessions and among the
        lessons.
      </p>
      <div className="text-ink">
        <SelectField label="Lesson" value={videoId} onChange={(event) => setVideoId(event.target.value)}>
          <option value="">No recording</option>
          {videos.map(({ id, module, title }) => (
            <option key={id} value={id}>
              {module}: {title}
            </option>
          ))}
        </SelectField>
      </div>
    </ConfirmDialog>
  );
}
