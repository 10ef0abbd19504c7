/** Seconds after the last sign of playing when a device no longer counts as playing (DEVICE-2). */
export const idleSeconds = 120;

/** The range by which a page asks whether its link still plays. No film is played by it, so it is no sign of playing. */
export const checkRange = "bytes=0-0";

/** Seconds between two written signs of playing: a range or a saved position in between writes nothing. */
export const signSeconds = 30;
