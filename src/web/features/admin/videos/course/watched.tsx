import type { ReactNode } from "react";
import type { VideoStatistics } from "#domain/api/statistics";
import type { Video } from "#domain/api/course/videos";
import { filmPartName } from "#domain/watch/statistics";

interface WatchedProps {
  video: Video;
  /** Undefined while nobody has begun it. */
  statistics: VideoStatistics | undefined;
}

/** How many began a video and are done, and how far the others came (PATH-5). */
export function Watched({ video, statistics }: WatchedProps): ReactNode {
  if (statistics === undefined) return <span className="text-small text-muted max-sm:hidden">Not begun yet</span>;
  const { started, done, stopped } = statistics;
  return (
    <div className="text-small">
      <span className="figures whitespace-nowrap">
        {started} started, {done} done
      </span>
      {stopped.some((students) => students > 0) && (
        <details className="mt-1 text-left">
          <summary className="inline-flex min-h-9 cursor-pointer items-center text-action underline-offset-4 hover:underline">
            Where people stop<span className="sr-only"> in {video.title}</span>
          </summary>
          <Stopped title={video.title} stopped={stopped} />
        </details>
      )}
    </div>
  );
}

function Stopped({ title, stopped }: { title: string; stopped: number[] }): ReactNode {
  const most = Math.max(...stopped);
  return (
    <table className="figures w-full min-w-48">
      <caption className="sr-only">How far those came in {title} who are not done</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Part of the film</th>
          <th scope="col">Students who stopped there</th>
        </tr>
      </thead>
      <tbody>
        {stopped.map((students, part) => (
          <tr key={filmPartName(part)}>
            <th scope="row" className="w-px pr-3 text-right font-normal whitespace-nowrap text-muted">
              {filmPartName(part)}
            </th>
            <td className="w-full whitespace-nowrap">
              <span
                aria-hidden
                className="mr-2 inline-block h-2 rounded-control bg-action"
                style={{ width: `${(75 * students) / most}%` }}
              />
              {students}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
