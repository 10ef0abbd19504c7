import { CircleCheck, Lock, Play } from "lucide-react";
import type { ReactNode } from "react";
import { paymentPage } from "#domain/accounts/next-page";
import type { Video } from "#domain/api/course/videos";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import type { PackageType } from "#domain/packages";
import { texts } from "#domain/texts/texts";
import { packageTag, packageWith } from "#domain/video-access";
import type { Lesson } from "#domain/watch/path";
import { pendingWith } from "../../entities/payment-request/next-step.ts";
import { myStatusText } from "../../entities/payment-request/status-badge.tsx";
import { playingTime } from "../../platform/format.ts";
import { ActionError } from "../../ui/action-error.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { Spinner } from "../../ui/spinner.tsx";
import { Attachments } from "../../entities/video/attachments.tsx";
import { MarkDone } from "../../entities/video/mark-done.tsx";
import { ModuleIcon } from "../../entities/video/module-icon.tsx";
import { Poster } from "../../entities/video/poster.tsx";
import { unknownPosition } from "../../entities/video/queries.ts";
import { LessonProgress } from "./lesson-progress.tsx";
import { usePlay } from "./queries.ts";

interface VideoCardProps {
  lesson: Lesson<Video>;
  /** The student's payment requests, newest first. */
  requests: PaymentRequest[];
}

export function VideoCard({ lesson: { number, video }, requests }: VideoCardProps): ReactNode {
  const film = usePlay(video);
  const titleId = `video-${video.id}`;
  const markId = `mark-${video.id}`;
  return (
    <li className="flex">
      <article
        aria-labelledby={titleId}
        className={cx(
          "flex w-full flex-col rounded-panel border border-line p-5",
          // On a phone the picture stands beside number, title and description, and the rest below them.
          "max-sm:grid max-sm:grid-cols-[7rem_minmax(0,1fr)] max-sm:grid-rows-[auto_auto_1fr] max-sm:gap-x-3 max-sm:p-2.5",
          video.playable && "bg-surface",
        )}
      >
        <Poster
          video={video}
          className={cx("mb-4 max-sm:row-span-3 max-sm:mb-1 max-sm:self-start", !video.playable && "opacity-60")}
        />
        <div className="flex flex-wrap items-center gap-2 max-sm:order-1 max-sm:col-span-full max-sm:mt-1">
          <ModuleIcon module={video.module} />
          <Badge wraps>{video.module}</Badge>
          <Badge className="capitalize">{packageTag(video.package_type)}</Badge>
          {video.duration_seconds !== null && (
            <span className="figures ml-auto text-small text-muted">{playingTime(video.duration_seconds)}</span>
          )}
        </div>
        <p className="mt-4 flex items-center justify-between gap-3 text-small text-muted max-sm:mt-0 max-sm:leading-tight">
          <span className="figures">{`Lesson ${number}`}</span>
          {video.playable && video.progress?.done && (
            <span className="flex items-center gap-1.5 font-medium text-gain">
              <CircleCheck aria-hidden className="size-4" />
              Done
            </span>
          )}
        </p>
        <h4
          id={titleId}
          className={cx(
            "text-lead font-semibold wrap-anywhere max-sm:line-clamp-3 max-sm:text-body max-sm:leading-snug",
            !video.playable && "text-muted",
          )}
        >
          {video.title}
        </h4>
        <p className="mt-1.5 mb-5 text-small whitespace-pre-line text-muted max-sm:my-0 max-sm:line-clamp-1 max-sm:self-start">
          {video.description}
        </p>
        {video.playable ? (
          <div className="mt-auto grid gap-2 max-sm:order-2 max-sm:col-span-full max-sm:mt-2 max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:*:grow">
            <LessonProgress video={video} className="mb-1 max-sm:mb-0 max-sm:basis-40" />
            <ActionError error={film.error} />
            <Button
              variant={video.progress?.done ? "secondary" : "primary"}
              aria-describedby={titleId}
              disabled={film.isPending}
              onClick={() => film.mutate()}
            >
              {film.isPending ? <Spinner /> : <Play aria-hidden className="size-4" />}
              {texts.student.watchNow}
            </Button>
            {video.source === "url" && video.progress && (
              <MarkDone
                variant="quiet"
                video={video}
                position={() => unknownPosition}
                id={markId}
                aria-labelledby={`${markId} ${titleId}`}
              />
            )}
            {video.source === "url" && <Attachments video={video} />}
          </div>
        ) : (
          <Locked packageType={packageWith(video.package_type)} requests={requests} titleId={titleId} />
        )}
      </article>
    </li>
  );
}

interface LockedProps {
  /** The cheapest that opens the lesson. */
  packageType: PackageType;
  requests: PaymentRequest[];
  titleId: string;
}

/** Leads to what opens the lesson: the request for it that is pending, or its purchase (VIDEO-5). */
function Locked({ packageType, requests, titleId }: LockedProps): ReactNode {
  const pending = pendingWith(requests, packageType);
  return (
    <ButtonLink
      to={paymentPage(pending?.package_type ?? packageType)}
      variant="secondary"
      className="mt-auto max-sm:order-2 max-sm:col-span-full max-sm:mt-2"
      aria-describedby={titleId}
    >
      <Lock aria-hidden className="size-4" />
      <span>{pending ? myStatusText(pending) : texts.student.purchaseRequired}</span>
    </ButtonLink>
  );
}
