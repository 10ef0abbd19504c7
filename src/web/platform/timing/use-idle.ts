import { useEffect, useState } from "react";

/** Screen readers click without a pointer or a key. */
const actions = ["pointerdown", "keydown", "click", "visibilitychange"];

/** Returns whether the page has been visible for a span, in milliseconds, in which nobody pressed anything. */
export function useIsIdle(spanMs: number): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    let timer: number | undefined;
    const begin = (): void => {
      window.clearTimeout(timer);
      setIdle(false);
      if (document.visibilityState === "visible") timer = window.setTimeout(() => setIdle(true), spanMs);
    };
    begin();
    for (const action of actions) document.addEventListener(action, begin, true);
    return () => {
      window.clearTimeout(timer);
      for (const action of actions) document.removeEventListener(action, begin, true);
    };
  }, [spanMs]);
  return isIdle;
}
