import { Lock, Play } from "lucide-react";
import type { ReactNode } from "react";
import type { Video } from "#domain/api/videos";
import { texts } from "#domain/texts/texts";
import { packageTag } from "#domain/video-access";
import { playingTime } from "../../platform/format.ts";
import { ActionError } from "../../ui/action-error.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { ModuleIcon } from "../../entities/video/module-icon.tsx";
import { usePlay } from "./queries.ts";

export function VideoCard({ video }: { video: Video }): ReactNode {
  const film = usePlay(video.id);
  const titleId = `video-${video.id}`;
  return (
    <li className="flex">
      <article aria-labelledby={titleId} className="flex w-full flex-col rounded-panel border border-line bg-surface p-5">
        <div className="flex flex-wrap items-center gap-2">
          <ModuleIcon module={video.module} />
          <Badge>{video.module}</Badge>
          <Badge className="capitalize">{packageTag(video.package_type)}</Badge>
          {video.duration_seconds !== null && (
            <span className="figures ml-auto text-small text-muted">{playingTime(video.duration_seconds)}</span>
          )}
        </div>
        <h3 id={titleId} className="mt-4 text-lead font-semibold">
          {video.title}
        </h3>
        <p className="mt-1.5 mb-5 text-small whitespace-pre-line text-muted">{video.description}</p>
        {video.playable ? (
          <div className="mt-auto grid gap-2">
            <ActionError error={film.error} />
            <Button aria-describedby={titleId} disabled={film.isPending} onClick={() => film.mutate()}>
              {film.isPending ? <Spinner /> : <Play aria-hidden className="size-4" />}
              {texts.student.watchNow}
            </Button>
          </div>
        ) : (
          <p className="mt-auto flex min-h-11 items-center justify-center gap-2 rounded-control border border-line text-small font-medium text-muted">
            <Lock aria-hidden className="size-4" />
            {texts.student.purchaseRequired}
          </p>
        )}
      </article>
    </li>
  );
}
