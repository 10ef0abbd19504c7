import { Play } from "lucide-react";
import { useCallback, useEffect, useRef, useState, type MouseEvent, type ReactNode } from "react";
import type { Video } from "#domain/api/course/videos";
import { logError } from "../../../platform/errors.ts";
import { cx } from "../../../ui/cx.ts";
import { prefer, skip, togglePlay } from "./actions.ts";
import { Captions } from "./captions.tsx";
import { Controls } from "./controls.tsx";
import { toggleFullScreen } from "./full-screen.ts";
import { usePreferences } from "./preferences.ts";
import { Shortcuts } from "./shortcuts.tsx";
import { skipOf, type Tap } from "./taps.ts";
import { useIdle } from "./use-idle.ts";
import { useKeys } from "./use-keys.ts";
import { useMediaSession } from "./use-media-session.ts";
import { useEnded, usePlaying, useStarted } from "./use-video.ts";

interface PlayerProps {
  /** The element that goes into full screen, around the player. */
  stage: HTMLElement;
  video: HTMLVideoElement | null;
  onVideo: (video: HTMLVideoElement | null) => void;
  /** Undefined while it is not known. */
  lesson: Video | undefined;
  onNext: (() => void) | undefined;
  /** Over the film and below the controls. */
  children: ReactNode;
}

const noCaptions: Video["captions"] = [];

/** The film with its controls, captions and keys. */
export function Player({ stage, video, onVideo, lesson, onNext, children }: PlayerProps): ReactNode {
  const [preferences, change] = usePreferences();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const captions = lesson?.captions ?? noCaptions;
  /** That of the captions on the screen; null also while the lesson is not there, which has the tracks. */
  const language = captions.find((track) => track.language === preferences.captions)?.language ?? null;
  const isPlaying = usePlaying(video);
  const hasStarted = useStarted(video);
  const hasEnded = useEnded(video);
  const [isIdle, rest] = useIdle(stage, isPlaying);

  useEffect(() => {
    if (video) prefer(video, preferences);
  }, [video, preferences]);

  const toggleCaptions = (): void => {
    const last = captions.find((track) => track.language === preferences.lastCaptions) ?? captions[0];
    change({ captions: language === null ? (last?.language ?? preferences.captions) : null });
  };
  const openHelp = (): void => setHelpOpen(true);
  useKeys({ video, stage, preferences, change, toggleCaptions, openHelp });

  const onSkip = useCallback((seconds: number) => video && skip(video, seconds), [video]);
  useMediaSession(video, {
    title: lesson?.title ?? "",
    module: lesson?.module ?? "",
    poster: lesson?.poster_url ?? null,
    onSkip,
    onNext,
  });

  return (
    <div className={cx("@container absolute inset-0 flex flex-col", isIdle && "cursor-none")}>
      <Surface video={video} stage={stage} isIdle={isIdle} rest={rest}>
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the seller adds captions or does not */}
        <video
          ref={onVideo}
          playsInline
          preload="auto"
          aria-label={lesson?.title}
          poster={lesson?.poster_url ?? undefined}
          tabIndex={-1}
          className="size-full"
        >
          {captions.map((track) => (
            <track key={track.language} kind="captions" srcLang={track.language} label={track.label} src={track.url} />
          ))}
        </video>
      </Surface>
      {children}
      {video && !hasStarted && !isPlaying && <PlayButton video={video} />}
      <div className="pointer-events-none absolute inset-x-0 bottom-0 flex flex-col">
        <Captions video={video} language={language} />
        {/* The end has buttons of its own, and no room for both on a phone. */}
        {!hasEnded && (
          <ControlBar isIdle={isIdle}>
            <Controls
              video={video}
              stage={stage}
              captions={captions}
              language={language}
              preferences={preferences}
              change={change}
              onHelp={openHelp}
            />
          </ControlBar>
        )}
      </div>
      {isHelpOpen && (
        <Shortcuts hasKeys={preferences.keys} onHasKeys={(keys) => change({ keys })} onClose={() => setHelpOpen(false)} />
      )}
    </div>
  );
}

/** Over the film until it starts. */
function PlayButton({ video }: { video: HTMLVideoElement }): ReactNode {
  return (
    <button
      type="button"
      aria-label="Play the lesson"
      onClick={() => togglePlay(video)}
      // In front of the bar of controls, which begins with a shade, and on a phone above its seek bar.
      className="absolute inset-x-0 top-0 bottom-20 z-10 m-auto grid size-11 place-items-center rounded-full bg-action text-on-action transition-transform hover:scale-105 @xs:size-20 @md:bottom-0"
    >
      <Play aria-hidden className="ml-1 size-5 @xs:size-9" fill="currentColor" />
    </button>
  );
}

/** Fades its controls away while the pointer rests. */
function ControlBar({ isIdle, children }: { isIdle: boolean; children: ReactNode }): ReactNode {
  return (
    <div
      data-controls=""
      className={cx(
        "pointer-events-auto bg-linear-to-t from-ground via-ground/80 to-transparent pt-8 transition-opacity duration-200",
        // Never hidden under the focus of somebody at the keyboard.
        isIdle && "not-has-focus-visible:pointer-events-none not-has-focus-visible:opacity-0",
      )}
    >
      {children}
    </div>
  );
}

interface SurfaceProps {
  video: HTMLVideoElement | null;
  stage: HTMLElement;
  isIdle: boolean;
  /** Hides the controls. */
  rest: () => void;
  children: ReactNode;
}

/** The film itself, by pointer: a click plays or pauses, two fill the screen; a touch shows or hides the controls, two at a side skip. */
function Surface({ video, stage, isIdle, rest, children }: SurfaceProps): ReactNode {
  const lastTap = useRef<Tap>(undefined);
  /** How the pointer went down: before 18.4, Safari says of the click after a touch that a mouse made it. */
  const pressed = useRef({ byTouch: false, wasIdle: false });
  const [skipped, setSkipped] = useState<{ seconds: number; count: number }>();

  const touch = (event: MouseEvent<HTMLElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const tap = { share: (event.clientX - left) / width, at: event.timeStamp };
    const seconds = skipOf(lastTap.current, tap);
    lastTap.current = tap;
    if (seconds !== 0 && video) {
      skip(video, seconds);
      setSkipped((before) => ({ seconds, count: (before?.count ?? 0) + 1 }));
    } else if (!pressed.current.wasIdle) rest();
  };
  return (
    // Everything here is also in the bar of controls and by key.
    <div
      role="presentation"
      className="relative min-h-0 grow"
      onPointerDownCapture={({ pointerType }) => (pressed.current = { byTouch: pointerType === "touch", wasIdle: isIdle })}
      onClick={(event) => {
        if (!video) return;
        if (pressed.current.byTouch) touch(event);
        else togglePlay(video);
      }}
      onDoubleClick={({ timeStamp }) => {
        // Two taps are a double click too.
        const isTouch = lastTap.current !== undefined && timeStamp - lastTap.current.at < 1000;
        if (video && !isTouch) toggleFullScreen(stage, video).catch(logError);
      }}
    >
      {children}
      {skipped && (
        <p
          key={skipped.count}
          aria-hidden
          className={cx(
            "fade-away figures pointer-events-none absolute top-1/2 -translate-y-1/2 rounded-control bg-ground/80 px-4 py-2",
            skipped.seconds < 0 ? "left-[12%]" : "right-[12%]",
          )}
        >
          {skipped.seconds < 0 ? "−" : "+"}
          {Math.abs(skipped.seconds)} s
        </p>
      )}
    </div>
  );
}
