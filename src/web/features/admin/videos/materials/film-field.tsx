import { useState, type ReactNode } from "react";
import type { Video } from "#domain/api/course/videos";
import { checkVideoFile } from "#domain/files/chosen-file";
import { useMe } from "../../../../entities/session/session.tsx";
import { logError, messageOf } from "../../../../platform/errors.ts";
import { fileSize } from "../../../../platform/format.ts";
import { FilePicker } from "../../../../ui/file-picker.tsx";
import { PickedFilm } from "./picked-film.tsx";

interface FilmFieldProps {
  /** The lesson that is changed, as it is now; undefined for a new one. */
  video: Video | undefined;
  file: File | undefined;
  /** What the form found wrong with the film; a file that is refused as it is chosen has an error of its own. */
  error: string | undefined;
  disabled: boolean;
  /** Gets undefined for a file that is refused. */
  onFile: (file: File | undefined) => void;
  /** Gets the frame that becomes the poster. */
  onFrame: (frame: File | undefined) => void;
}

/** Chooses the film of a lesson, which is sent when the lesson is saved. */
export function FilmField(props: FilmFieldProps): ReactNode {
  const { video, file, disabled, onFile, onFrame } = props;
  const maxBytes = useMe().max_upload_bytes["course-videos"];
  const [refusal, setRefusal] = useState<string>();
  const hasStoredFilm = video?.source === "upload";
  const pick = (picked: File): void => {
    onFrame(undefined);
    try {
      checkVideoFile(picked, maxBytes);
      onFile(picked);
      setRefusal(undefined);
    } catch (thrown) {
      logError(thrown);
      onFile(undefined);
      setRefusal(messageOf(thrown, "unexpected"));
    }
  };
  return (
    <>
      <FilePicker
        label={file || hasStoredFilm ? "Choose another video file" : "Choose a video file"}
        hint={
          hasStoredFilm
            ? "The uploaded film stays unless you choose another."
            : `Up to ${fileSize(maxBytes)}; or give an address below.`
        }
        accept="video/*"
        file={file}
        error={refusal ?? props.error}
        disabled={disabled}
        isOneOfSeveral={video !== undefined}
        onPick={pick}
      />
      {file && <PickedFilm file={file} disabled={disabled} onFrame={video?.poster_url == null ? onFrame : undefined} />}
      {file && <p className="-mt-3 text-small text-muted">The file wins over an address.</p>}
    </>
  );
}
