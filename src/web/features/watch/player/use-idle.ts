import { useEffect, useState } from "react";

/** Milliseconds without a sign of the person after which the controls hide. */
const idleMs = 3000;

const signs = ["pointermove", "pointerdown", "keydown", "focusin"] as const;

/** Returns whether nobody has touched the stage for a while although the film plays, and what hides the controls at once; nothing does while it is paused. */
export function useIdle(stage: HTMLElement | null, isPlaying: boolean): [boolean, () => void] {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    if (!stage || !isPlaying) return;
    let timer = setTimeout(() => setIdle(true), idleMs);
    const wake = (): void => {
      clearTimeout(timer);
      setIdle(false);
      timer = setTimeout(() => setIdle(true), idleMs);
    };
    for (const sign of signs) stage.addEventListener(sign, wake);
    return () => {
      clearTimeout(timer);
      for (const sign of signs) stage.removeEventListener(sign, wake);
      setIdle(false);
    };
  }, [stage, isPlaying]);
  return [isIdle, () => setIdle(isPlaying)];
}
