import { useId, useRef, useState, type ReactNode } from "react";
import { clockTime, spokenTime } from "../../../../platform/format.ts";
import { logError } from "../../../../platform/errors.ts";
import { Film } from "./film.tsx";
import { frameOf, isShowingBlack, moments } from "./frame.ts";

/** Seconds of a film of unknown length in which frames are offered. */
const unknownLength = 60;

interface FramePickerProps {
  /** The film: its address, or its file. */
  source: File | string;
  disabled?: boolean;
  /** Receives the chosen frame, undefined while another is searched for. */
  onFrame: (frame: File | undefined) => void;
  /** The browser cannot play the film, or plays it without a picture. */
  onUnplayable: () => void;
}

/** Chooses a frame of a film: at first one from about a tenth of it that is not black, then the one at the moment that is picked. */
export function FramePicker({ source, disabled = false, onFrame, onUnplayable }: FramePickerProps): ReactNode {
  const id = useId();
  const film = useRef<HTMLVideoElement>(null);
  // The next of `moments` to try; none once a frame is found or a moment is picked by hand.
  const untried = useRef<number[]>([...moments]);
  const [duration, setDuration] = useState<number>();
  const [at, setAt] = useState(0);

  const seek = (seconds: number): void => {
    setAt(seconds);
    onFrame(undefined);
    if (film.current) film.current.currentTime = seconds;
  };
  const begin = (element: HTMLVideoElement): void => {
    film.current = element;
    if (element.videoWidth === 0) return onUnplayable();
    // A recording of a browser does not say how long it is.
    const length = Number.isFinite(element.duration) ? element.duration : unknownLength;
    setDuration(length);
    seek(length * untried.current.shift()!);
  };
  const take = async (element: HTMLVideoElement): Promise<void> => {
    const next = untried.current.shift();
    if (next !== undefined && duration !== undefined && isShowingBlack(element)) return seek(duration * next);
    untried.current = [];
    onFrame(await frameOf(element));
  };

  return (
    <div className="grid gap-3">
      <Film
        source={source}
        preload="auto"
        aria-hidden
        tabIndex={-1}
        className="aspect-video w-full rounded-control bg-raised object-contain"
        onLoadedMetadata={(event) => begin(event.currentTarget)}
        onSeeked={(event) => void take(event.currentTarget).catch(logError)}
        onError={onUnplayable}
      />
      {duration !== undefined && (
        <label htmlFor={id} className="grid gap-1 text-small">
          <span className="flex justify-between gap-4">
            Moment of the film
            <span className="figures text-muted">{clockTime(at)}</span>
          </span>
          <input
            id={id}
            type="range"
            min={0}
            max={duration}
            step={duration / 200}
            value={at}
            disabled={disabled}
            aria-valuetext={spokenTime(at)}
            className="h-11 w-full accent-action"
            onChange={(event) => {
              untried.current = [];
              seek(Number(event.target.value));
            }}
          />
        </label>
      )}
    </div>
  );
}
