/** Seconds after the last sign of playing when a device no longer counts as playing (DEVICE-2). */
export const idleSeconds = 120;

/** Seconds between two written signs of playing: a range or a saved position in between writes nothing. */
export const signSeconds = 30;
