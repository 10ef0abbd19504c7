import { useEffect, useRef, useState, type ReactNode } from "react";
import type { Video } from "#domain/api/course/videos";
import { ProductError } from "#domain/errors/messages";
import { useMyRequests } from "../../entities/payment-request/queries.ts";
import { isBeyondUser } from "../../platform/errors.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { ContactLine } from "../../ui/contact-line.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { Ended } from "./ended.tsx";
import { Player } from "./player/player.tsx";
import { useEnded, useLacking, usePlaying } from "./player/use-video.ts";
import { isLocked, lockedStop, stopOf, type Stop } from "./stop.ts";
import { useFilmSource } from "./source/use-film-source.ts";
import { usePlayFrom } from "./source/use-play-from.ts";
import { useSavedProgress } from "./use-saved-progress.ts";
import { Watermark } from "./watermark.tsx";

/** What other parts of the page need of the film. */
export interface LoadedFilm {
  id: string;
  /** Null while something else is displayed in its place. */
  video: HTMLVideoElement | null;
  /** Where it went on, in seconds; 0 from its beginning. Undefined before it is known. */
  resumedAt: number | undefined;
}

interface FilmProps {
  id: string;
  /** Undefined while the list of lessons is on its way, and for one that is not in it. */
  lesson: Video | undefined;
  /** When that list was read last, in milliseconds. */
  listedAt: number;
  stage: HTMLElement;
  onFilm: (film: LoadedFilm) => void;
  next: Video | undefined;
  onNext: () => void;
}

/** The film of a lesson, or the reason why it may not be played; a notice covers it while it waits. */
export function Film({ id, lesson, listedAt, stage, onFilm, next, onNext }: FilmProps): ReactNode {
  const [video, setVideo] = useState<HTMLVideoElement | null>(null);
  const film = useFilmSource(id, usePlaying(video));
  const { resumedAt, isBroken, tryAgain } = usePlayFrom(video, film);
  useSavedProgress(video, id);
  const isLacking = useLacking(video);
  const hasEnded = useEnded(video);
  const { restart } = film;
  const error = film.error ?? (isBroken ? new ProductError("film_unplayable") : undefined);

  useEffect(() => {
    onFilm({ id, video, resumedAt });
  }, [id, video, resumedAt, onFilm]);
  // The package came while the refusal was on the screen. Each new list asks once, since one read before the refusal says playable too.
  const isOpenAgain = error?.code === "video_locked" && lesson?.playable === true;
  const askedFor = useRef<number>(undefined);
  useEffect(() => {
    if (!isOpenAgain || askedFor.current === listedAt) return;
    askedFor.current = listedAt;
    void restart();
  }, [isOpenAgain, listedAt, restart]);

  if (error && isLocked(error)) return <Locked error={error} lesson={lesson} />;
  if (error) return <Stopped error={error} stop={stopOf(error)} again={tryAgain} isWaiting={film.isWaiting} />;
  return (
    <Player stage={stage} video={video} onVideo={setVideo} lesson={lesson} onNext={next && onNext}>
      {film.source?.watermark != null && <Watermark text={film.source.watermark} />}
      {hasEnded ? (
        <Ended video={video} next={next} onNext={onNext} />
      ) : (
        (film.isWaiting || isLacking || !film.source) && <Waiting hasNoConnection={film.isWaiting} />
      )}
    </Player>
  );
}

function Waiting({ hasNoConnection }: { hasNoConnection: boolean }): ReactNode {
  return (
    <div role="status" className="pointer-events-none absolute inset-0 grid place-items-center">
      <p className="flex items-center gap-3 rounded-control bg-ground/80 px-4 py-2.5">
        <Spinner />
        {hasNoConnection ? "Waiting for the connection…" : <span className="sr-only">Loading the film…</span>}
      </p>
    </div>
  );
}

/** Outside of the viewer's package: what is offered waits for their requests, which may have one for it. */
function Locked({ error, lesson }: { error: ProductError; lesson: Video | undefined }): ReactNode {
  const requests = useMyRequests();
  return <Stopped error={error} stop={lockedStop(lesson, requests.isPending ? undefined : (requests.data ?? []))} />;
}

interface StoppedProps {
  error: ProductError;
  stop: Stop;
  again?: () => void;
  /** Whether `again` waits for the connection. */
  isWaiting?: boolean;
}

function Stopped({ error, stop: { title, text, next }, again, isWaiting }: StoppedProps): ReactNode {
  return (
    <div
      role="alert"
      className="absolute inset-0 grid place-content-center-safe justify-items-center gap-4 overflow-y-auto p-6 text-center"
    >
      <h2 className="text-title">{title}</h2>
      {text !== undefined && <p className="max-w-prose text-muted">{text}</p>}
      {next &&
        (next.to === undefined ? (
          <Button onClick={again} isBusy={isWaiting}>
            {next.label}
          </Button>
        ) : (
          <ButtonLink to={next.to}>{next.label}</ButtonLink>
        ))}
      {isWaiting && <p className="text-muted">Waiting for the connection…</p>}
      {isBeyondUser(error) && <ContactLine>If this goes on, write to</ContactLine>}
    </div>
  );
}
