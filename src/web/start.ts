/**
 * The landing page arrives as HTML and needs no script: React starts at the first sign that someone will click, so that nothing
 * competes with the first paint. Not when idle: React alone is heavier than all that the page may weigh (docs/decisions/009).
 * In development nothing is prerendered, and everything starts at once.
 */
const signs = ["pointerdown", "pointermove", "touchstart", "keydown", "focusin"] as const;

function start(event?: Event): void {
  // Browsers also report a resting pointer when a page appears below it.
  if (event instanceof PointerEvent && event.type === "pointermove" && event.movementX === 0 && event.movementY === 0) return;
  for (const sign of signs) removeEventListener(sign, start);
  void import("./main.tsx");
}

if (document.getElementById("root")?.hasChildNodes()) {
  for (const sign of signs) addEventListener(sign, start, { passive: true });
} else {
  start();
}
