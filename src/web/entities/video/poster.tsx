import { useState, type ReactNode } from "react";
import type { Video } from "#domain/api/course/videos";
import { cx } from "../../ui/cx.ts";
import { ModuleIcon } from "./module-icon.tsx";

/** The picture of a lesson, 16 to 9; the icon of its module where there is none. Decoration: the title is beside it. */
export function Poster({
  video: { poster_url, module },
  className,
}: {
  video: Pick<Video, "poster_url" | "module">;
  className?: string;
}): ReactNode {
  const [failedUrl, setFailedUrl] = useState<string>();
  return (
    <div className={cx("grid aspect-video place-items-center overflow-hidden rounded-control bg-raised", className)}>
      {poster_url === null || poster_url === failedUrl ? (
        <ModuleIcon module={module} size="large" />
      ) : (
        <img
          src={poster_url}
          alt=""
          width={1280}
          height={720}
          loading="lazy"
          decoding="async"
          className="size-full object-cover"
          onError={() => setFailedUrl(poster_url)}
        />
      )}
    </div>
  );
}
