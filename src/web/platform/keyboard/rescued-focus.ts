import { useEffect } from "react";

const regions = "section, article, form, [role=tabpanel], [role=region], main";

/** Milliseconds in which dialogs and forms move the focus themselves. */
const patience = 100;

/**
 * When an action removes what has the focus, such as the row of a deleted user, the focus goes to the heading of the part that
 * remains, or of the next one where the whole part is gone; a browser would drop it at the top of the page (KEYS-2).
 */
export function useRescuedFocus(): void {
  useEffect(() => {
    let lost: { element: Element; parts: Part[]; main: Element } | undefined;
    let isPointer = false;
    const remember = ({ target }: FocusEvent): void => {
      if (!(target instanceof Element)) return;
      const main = document.querySelector("main");
      // A dialog is rendered outside the page; when it closes over a removed row, the part of the page counts.
      if (main?.contains(target) === true) lost = { element: target, parts: partsAround(target), main };
    };
    let timer: number | undefined;
    const isLost = (): boolean => lost?.element.isConnected === false && document.activeElement === document.body;
    const rescue = (): void => {
      timer = undefined;
      if (!lost || !isLost()) return;
      const { parts, main } = lost;
      lost = undefined;
      // On another page its own heading takes the focus.
      if (!main.isConnected) return;
      // Whoever points at the page sees where it was; only a key leads on from the heading.
      headingOf(remainingPart(parts) ?? main).focus({ preventScroll: isPointer });
    };
    const noteInput = ({ type }: Event): void => {
      isPointer = type === "pointerdown";
    };
    const watch = new MutationObserver(() => {
      if (isLost()) timer ??= window.setTimeout(rescue, patience);
    });
    watch.observe(document.body, { childList: true, subtree: true });
    document.addEventListener("focusin", remember);
    document.addEventListener("pointerdown", noteInput, true);
    document.addEventListener("keydown", noteInput, true);
    return () => {
      window.clearTimeout(timer);
      watch.disconnect();
      document.removeEventListener("focusin", remember);
      document.removeEventListener("pointerdown", noteInput, true);
      document.removeEventListener("keydown", noteInput, true);
    };
  }, []);
}

interface Part {
  element: Element;
  /** The parts that follow, in groups as well; they are noted before, as a removed element has none. */
  followers: Element[];
}

/** Returns the parts of the page around an element, the innermost first. */
function partsAround(target: Element): Part[] {
  const parts: Part[] = [];
  for (let element = target.closest(regions); element; element = element.parentElement?.closest(regions) ?? null) {
    parts.push({ element, followers: followersOf(element) });
  }
  return parts;
}

function followersOf(element: Element): Element[] {
  const siblings = [...(element.parentElement?.children ?? [])];
  return siblings
    .slice(siblings.indexOf(element) + 1)
    .flatMap((sibling) => (sibling.matches(regions) ? sibling : [...sibling.querySelectorAll(regions)]));
}

/** Returns the innermost part that remains; instead of the whole page the part after the removed one. */
function remainingPart(parts: Part[]): Element | undefined {
  const index = parts.findIndex(({ element }) => element.isConnected);
  const remaining = parts[index]?.element;
  if (remaining?.matches("main") !== true) return remaining;
  return parts[index - 1]?.followers.find((follower) => follower.isConnected) ?? remaining;
}

/** Returns the heading of a part, or the part itself, ready to be focused. */
function headingOf(part: Element): HTMLElement {
  const place = part.querySelector<HTMLElement>("h1, h2, h3") ?? (part as HTMLElement);
  if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
  return place;
}
