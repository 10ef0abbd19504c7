import { Lock, Play } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { Video } from "#domain/api/videos";
import { texts } from "#domain/texts";
import { packageTag } from "#domain/video-access";
import { api } from "../../platform/api.ts";
import { openInNewTab } from "../../platform/new-tab.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { FieldError } from "../../ui/field.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { ModuleIcon } from "./module-icon.tsx";

export function VideoCard({ video }: { video: Video }): ReactNode {
  const [isOpening, setOpening] = useState(false);
  const [error, setError] = useState<string>();
  const titleId = `video-${video.id}`;
  const watch = async (): Promise<void> => {
    setOpening(true);
    setError(undefined);
    setError(await openInNewTab(() => api.videos.play({ params: { id: video.id } }), "unexpected"));
    setOpening(false);
  };
  return (
    <li className="flex">
      <article aria-labelledby={titleId} className="flex w-full flex-col rounded-panel border border-line bg-surface p-5">
        <div className="flex flex-wrap items-center gap-2">
          <ModuleIcon module={video.module} />
          <Badge>{video.module}</Badge>
          <Badge className="capitalize">{packageTag(video.package_type)}</Badge>
        </div>
        <h3 id={titleId} className="mt-4 text-lead font-semibold">
          {video.title}
        </h3>
        <p className="mt-1.5 mb-5 text-small whitespace-pre-line text-muted">{video.description}</p>
        {video.playable ? (
          <div className="mt-auto grid gap-2">
            <FieldError text={error} />
            <Button aria-describedby={titleId} disabled={isOpening} onClick={() => void watch()}>
              {isOpening ? <Spinner /> : <Play aria-hidden className="size-4" />}
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
