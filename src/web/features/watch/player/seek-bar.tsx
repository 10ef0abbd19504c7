import { useState, type PointerEvent, type ReactNode } from "react";
import { clockTime, spokenTime } from "../../../platform/format.ts";
import { seek } from "./actions.ts";
import { useLength, useTime, useVideo } from "./use-video.ts";

const changesOfBuffer = ["progress", "timeupdate", "seeked", "loadedmetadata"];

/** Returns the position up to which the film is there without a gap, in seconds. */
function bufferedTo({ buffered, currentTime }: HTMLVideoElement): number {
  for (let index = 0; index < buffered.length; index += 1) {
    if (buffered.start(index) <= currentTime + 0.5 && currentTime <= buffered.end(index)) return buffered.end(index);
  }
  return currentTime;
}

/** The position, what is buffered, and the time below the pointer. */
export function SeekBar({ video }: { video: HTMLVideoElement | null }): ReactNode {
  const time = useTime(video);
  const length = useLength(video);
  const buffered = useVideo(video, changesOfBuffer, bufferedTo, 0);
  /** The position below the pointer, in seconds. */
  const [pointed, setPointed] = useState<number>();
  /** The position that is dragged to; the film follows when it is let go. */
  const [dragged, setDragged] = useState<number>();
  const position = dragged ?? time;
  const percent = (seconds: number): string => `${length > 0 ? Math.min(100, (100 * seconds) / length) : 0}%`;
  const point = (event: PointerEvent<HTMLDivElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setPointed(Math.min(Math.max((event.clientX - left) / width, 0), 1) * length);
  };
  const letGo = (): void => {
    if (video && dragged !== undefined) seek(video, dragged);
    setDragged(undefined);
  };
  const preview = dragged ?? pointed;
  return (
    <div
      className="group/seek relative flex h-8 items-center rounded-control has-focus-visible:outline-2 has-focus-visible:outline-action"
      onPointerMove={point}
      onPointerLeave={() => setPointed(undefined)}
    >
      <div className="relative h-1 w-full overflow-hidden rounded-control bg-ink/25 transition-[height] group-hover/seek:h-1.5">
        <div className="absolute inset-y-0 left-0 bg-ink/35" style={{ width: percent(buffered) }} />
        <div className="absolute inset-y-0 left-0 bg-action" style={{ width: percent(position) }} />
      </div>
      <div className="absolute size-3.5 -translate-x-1/2 rounded-full bg-action" style={{ left: percent(position) }} />
      {preview !== undefined && length > 0 && (
        <div
          aria-hidden
          className="figures pointer-events-none absolute bottom-8 -translate-x-1/2 rounded-control bg-ground/90 px-2 py-0.5 text-small"
          style={{ left: `clamp(2rem, ${percent(preview)}, calc(100% - 2rem))` }}
        >
          {clockTime(preview)}
        </div>
      )}
      <input
        type="range"
        aria-label="Position"
        aria-valuetext={`${spokenTime(position)} of ${spokenTime(length)}`}
        min={0}
        max={length}
        step="any"
        value={position}
        disabled={length === 0}
        className="absolute inset-0 size-full cursor-pointer touch-none opacity-0"
        onPointerDown={() => setDragged(time)}
        onPointerUp={letGo}
        onPointerCancel={() => setDragged(undefined)}
        onChange={({ target }) => {
          if (dragged !== undefined) setDragged(target.valueAsNumber);
          else if (video) seek(video, target.valueAsNumber);
        }}
      />
    </div>
  );
}
