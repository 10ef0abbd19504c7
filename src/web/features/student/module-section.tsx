import { useId, type ReactNode } from "react";
import type { Video } from "#domain/api/course/videos";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { doneOf, type PathModule } from "#domain/watch/path";
import { ProgressBar } from "../../ui/progress.tsx";
import { VideoCard } from "./video-card.tsx";

interface ModuleSectionProps {
  module: PathModule<Video>;
  /** The student's payment requests, newest first. */
  requests: PaymentRequest[];
}

/** A module with how far the student is in it, and its lessons. */
export function ModuleSection({ module: { name, lessons }, requests }: ModuleSectionProps): ReactNode {
  const titleId = useId();
  const { done, playable } = doneOf(lessons);
  return (
    <section aria-labelledby={titleId}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line pb-3">
        <h3 id={titleId} className="text-lead font-semibold wrap-anywhere">
          {name}
        </h3>
        {playable > 0 && (
          <div className="flex items-center gap-3">
            <ProgressBar label={`Done of ${name}`} value={done / playable} className="w-28 sm:w-40" />
            <span className="figures text-small whitespace-nowrap text-muted">{`${done} of ${playable} done`}</span>
          </div>
        )}
      </div>
      <ul className="grid gap-4 max-sm:gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {lessons.map((lesson) => (
          <VideoCard key={lesson.video.id} lesson={lesson} requests={requests} />
        ))}
      </ul>
    </section>
  );
}
