import { useMemo, useState, type FocusEvent, type PointerEvent } from "react";

/** Returns whether somebody is at work in an area, and the handlers of that area: the mouse points into it, or the keyboard's focus is in it. */
export function useHold() {
  const [isPointedAt, setIsPointedAt] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  // What opens from the area, such as a menu, is a part of it: React's events come from there too.
  const area = useMemo(
    () => ({
      onPointerOver: ({ pointerType }: PointerEvent) => setIsPointedAt(pointerType === "mouse"),
      onPointerLeave: () => setIsPointedAt(false),
      onFocus: ({ target }: FocusEvent) => setHasFocus(target.matches(":focus-visible")),
      // Focus that goes nowhere is about to come back, as from a menu that closes.
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) setHasFocus(false);
      },
    }),
    [],
  );
  const release = (): void => {
    setIsPointedAt(false);
    setHasFocus(false);
  };
  return { isHeld: isPointedAt || hasFocus, area, release };
}
