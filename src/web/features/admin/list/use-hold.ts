import { useMemo, useState, type FocusEvent, type PointerEvent } from "react";

const nobody = { isPointedAt: false, hasFocus: false };

/** Returns whether somebody is at work in an area, and the handlers of that area: the mouse points into it, or it has the focus. */
export function useHold() {
  const [work, setWork] = useState(nobody);
  // React's events come also from what opens from the area, such as a menu: the focus there counts, the mouse does not.
  const area = useMemo(
    () => ({
      onPointerOver: ({ currentTarget, target, pointerType }: PointerEvent) => {
        const isPointedAt = pointerType === "mouse" && currentTarget.contains(target as Node);
        setWork((before) => (before.isPointedAt === isPointedAt ? before : { ...before, isPointedAt }));
      },
      // The mouse that leaves ends the work, also where a click has left the focus behind; the keyboard's focus goes on.
      onPointerLeave: ({ currentTarget }: PointerEvent) => {
        const hasFocus = currentTarget.querySelector(":focus-visible") !== null;
        setWork((before) => (before.isPointedAt ? { isPointedAt: false, hasFocus } : before));
      },
      onFocus: () => setWork((before) => (before.hasFocus ? before : { ...before, hasFocus: true })),
      // Focus that goes nowhere is about to come back, as from a menu that closes.
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget))
          setWork((before) => ({ ...before, hasFocus: false }));
      },
    }),
    [],
  );
  return { isHeld: work.isPointedAt || work.hasFocus, area, release: () => setWork(nobody) };
}
