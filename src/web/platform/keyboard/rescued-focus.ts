import { useEffect } from "react";

const regions = "section, article, form, [role=tabpanel], [role=region], main";

/** Milliseconds in which dialogs and forms move the focus themselves. */
const patience = 100;

/**
 * When an action removes what has the focus, such as the row of a deleted user, the focus goes to the heading of the part that
 * remains; a browser would drop it at the top of the page (KEYS-2).
 */
export function useRescuedFocus(): void {
  useEffect(() => {
    let lost: { element: Element; parts: Element[]; main: Element | null } | undefined;
    const remember = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element)) return;
      const main = document.querySelector("main");
      // A dialog is rendered outside the page; when it closes over a removed row, the part of the page counts.
      if (main?.contains(target)) lost = { element: target, parts: partsAround(target), main };
    };
    let timer: number | undefined;
    const isLost = (): boolean => lost?.element.isConnected === false && document.activeElement === document.body;
    const rescue = (): void => {
      timer = undefined;
      if (!lost || !isLost()) return;
      const { parts, main } = lost;
      lost = undefined;
      // On another page its own heading takes the focus.
      if (main?.isConnected !== true) return;
      focusPart(parts.find((part) => part.isConnected) ?? main);
    };
    const watch = new MutationObserver(() => {
      if (isLost()) timer ??= window.setTimeout(rescue, patience);
    });
    watch.observe(document.body, { childList: true, subtree: true });
    document.addEventListener("focusin", remember);
    return () => {
      window.clearTimeout(timer);
      watch.disconnect();
      document.removeEventListener("focusin", remember);
    };
  }, []);
}

/** The parts of the page around an element, the innermost first. */
function partsAround(element: Element): Element[] {
  const parts: Element[] = [];
  for (let part = element.closest(regions); part; part = part.parentElement?.closest(regions) ?? null) parts.push(part);
  return parts;
}

function focusPart(part: Element): void {
  const place = part.querySelector<HTMLElement>("h1, h2, h3") ?? (part as HTMLElement);
  if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
  place.focus();
}
