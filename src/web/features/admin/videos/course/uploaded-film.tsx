import type { ReactNode } from "react";
import type { Video } from "#domain/api/course/videos";
import type { Playability } from "#domain/film";
import { playingTime } from "../../../../platform/format.ts";

const advice = "Export it as H.264 with AAC audio in an MP4, and choose that file.";

/** What the admin does about each kind of film that does not play at once, or without its length (VIDEO-7). */
const problems: Record<Exclude<Playability, "plays"> | "no_length", string> = {
  no_length: `Plays, but does not go on where students left it: the file does not say how long it is. ${advice}`,
  starts_late:
    "Plays, but may start slowly: its index stands at the end and cannot be moved. Export it with “fast start” or “web optimized”.",
  video_codec: `Browsers do not play its video format. ${advice}`,
  audio_codec: `Students would hear nothing: browsers do not play its audio format. ${advice}`,
  no_video: `It has no picture. ${advice}`,
  container: `Not every browser plays this kind of file. ${advice}`,
  encrypted: `It is copy-protected, so no browser plays it. ${advice}`,
  damaged: `The file is incomplete or damaged. ${advice}`,
};

/** An uploaded film in the admin's list: its length, and what keeps it from playing. A change is announced. */
export function UploadedFilm({ video: { duration_seconds, playability } }: { video: Video }): ReactNode {
  const problem = playability === "plays" ? duration_seconds === null && "no_length" : playability;
  const length = duration_seconds === null ? "Uploaded file" : `Uploaded file, ${playingTime(duration_seconds)}`;
  return (
    <div className="max-w-[36ch] text-small">
      <span className="figures text-muted">{length}</span>
      <span role="status" className="block">
        {problem == null ? (
          <span className="text-muted">Being prepared…</span>
        ) : (
          problem && <span className="text-caution">{problems[problem]}</span>
        )}
      </span>
    </div>
  );
}
