import { Lock, Play } from "lucide-react";
import type { ReactNode } from "react";
import type { LiveOccurrence } from "#domain/api/course/live-sessions";
import { day } from "../../platform/format.ts";

/** Past live sessions as lessons; those that the package does not include are named and locked. */
export function Recordings({ occurrences }: { occurrences: LiveOccurrence[] }): ReactNode {
  return (
    <div className="border-t border-line pt-5">
      <h3 className="mb-2 text-small font-semibold">Recordings</h3>
      <ul className="divide-y divide-line">
        {occurrences.map((occurrence) => (
          <li key={occurrence.id} className="flex flex-wrap items-center justify-between gap-x-6 py-1">
            <Recording occurrence={occurrence} />
            <time dateTime={occurrence.starts_at} className="figures text-small text-muted">
              {day(occurrence.starts_at)}
            </time>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Recording({ occurrence: { title, recording } }: { occurrence: LiveOccurrence }): ReactNode {
  const look = "flex min-h-11 min-w-0 items-center gap-2 text-small wrap-anywhere";
  if (recording?.playable !== true) {
    return (
      <span className={`${look} text-muted`}>
        <Lock aria-hidden className="size-4 shrink-0" />
        {recording?.title ?? title}
        <span className="sr-only"> (not part of your package)</span>
      </span>
    );
  }
  return (
    <a
      href={`/watch/${recording.video_id}`}
      target="_blank"
      rel="noopener"
      className={`${look} font-medium text-action underline-offset-4 hover:underline`}
    >
      <Play aria-hidden className="size-4 shrink-0" />
      {recording.title}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
