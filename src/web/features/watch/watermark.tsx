import { useEffect, useState, type ReactNode } from "react";

/** Milliseconds in one place: long enough not to disturb, short enough that every scene of a recording has it. */
const stayMs = 20_000;

/** Percent of the free room to the left and above. The bottom is left to captions and controls. */
const anywhere = (): { x: number; y: number } => ({ x: Math.random() * 100, y: Math.random() * 75 });

/** The viewer's address over a film (DEVICE-4), in the element that goes into full screen. It takes no clicks. */
export function Watermark({ text }: { text: string }): ReactNode {
  const [{ x, y }, setPlace] = useState(anywhere);
  useEffect(() => {
    const timer = setInterval(() => setPlace(anywhere()), stayMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <div aria-hidden className="pointer-events-none absolute inset-3 overflow-hidden select-none">
      <p
        className="absolute max-w-full truncate text-small text-white/40 text-shadow-[0_0_3px_rgb(0_0_0/0.55)] transition-[left,top,translate] duration-1000 motion-reduce:transition-none"
        // Of its own size too, so that it never leaves the film.
        style={{ left: `${x}%`, top: `${y}%`, translate: `-${x}% -${y}%` }}
      >
        {text}
      </p>
    </div>
  );
}
