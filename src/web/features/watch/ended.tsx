import { ArrowRight, RotateCcw } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import type { Video } from "#domain/api/course/videos";
import { Button } from "../../ui/button.tsx";
import { play } from "./player/actions.ts";

interface EndedProps {
  video: HTMLVideoElement | null;
  next: Video | undefined;
  onNext: () => void;
}

/** Over the last picture: the next lesson, which waits for its viewer. */
export function Ended({ video, next, onNext }: EndedProps): ReactNode {
  const end = useRef<HTMLDivElement>(null);
  // The controls are gone, and the rest of the page may be behind a full screen.
  useEffect(() => {
    // Large text fills the film of a phone: the buttons matter more than the title above them.
    end.current?.scrollTo({ top: end.current.scrollHeight, behavior: "instant" });
    const focused = document.activeElement;
    const isElsewhere = focused !== document.body && end.current?.closest("[data-stage]")?.contains(focused) !== true;
    if (!isElsewhere) end.current?.querySelector("button")?.focus({ preventScroll: true });
  }, []);
  return (
    <div
      ref={end}
      role="status"
      className="absolute inset-0 grid auto-rows-max place-content-center-safe justify-items-center gap-3 overflow-y-auto bg-ground/85 p-3 text-center @md:gap-4 @md:p-6"
    >
      {next ? (
        <>
          <p className="text-small text-muted">Next lesson</p>
          <p className="line-clamp-2 px-1 text-title wrap-anywhere">{next.title}</p>
        </>
      ) : (
        <p className="text-title">That was the last lesson.</p>
      )}
      <div className="flex flex-wrap justify-center gap-3">
        {next && (
          <Button onClick={onNext}>
            Go on
            <ArrowRight aria-hidden className="size-4" />
          </Button>
        )}
        <Button variant="secondary" onClick={() => video && void play(video)}>
          <RotateCcw aria-hidden className="size-4" />
          Watch again
        </Button>
      </div>
    </div>
  );
}
