const focusable =
  "a[href], summary, button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled)";

/**
 * Moves the focus into a dialog that opens: to `data-initial-focus`, or else to its first control. Base UI itself would wait for a frame, in
 * which a fast key would act on the page behind. Returns false, which tells Base UI that the focus is set.
 */
export function focusInside(popup: HTMLElement | null): false {
  const target = popup?.querySelector<HTMLElement>("[data-initial-focus]") ?? popup?.querySelector<HTMLElement>(focusable);
  (target ?? popup)?.focus();
  return false;
}
