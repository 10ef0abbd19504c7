/** Milliseconds within which a second tap belongs to the first. */
const doubleMs = 320;

/** Seconds that a double tap skips. */
export const tapSkip = 10;

export interface Tap {
  /** From 0 at the left edge of the film to 1 at the right one. */
  share: number;
  /** In milliseconds. */
  at: number;
}

/** Returns the side of the film that a tap is on; undefined in the middle third, where a double tap does nothing. */
function sideOf({ share }: Tap): "left" | "right" | undefined {
  if (share < 1 / 3) return "left";
  return share > 2 / 3 ? "right" : undefined;
}

/** Returns the seconds to skip for a tap after another; 0 when the two are no double tap on one side. */
export function skipOf(before: Tap | undefined, tap: Tap): number {
  const side = sideOf(tap);
  if (!before || side === undefined || side !== sideOf(before) || tap.at - before.at > doubleMs) return 0;
  return side === "left" ? -tapSkip : tapSkip;
}
