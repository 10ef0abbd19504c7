import { useLayoutEffect, useRef, type FocusEvent, type RefObject } from "react";

interface KeptFocus {
  onFocus: (event: FocusEvent) => void;
  onBlur: () => void;
}

/**
 * Keeps the focus in a row that moves, whoever moves it: a lesson in another module is rendered anew, and its new row's control of the same name gets
 * the focus. Returns the handlers of the list.
 */
export function useKeptFocus(list: RefObject<HTMLElement | null>): KeptFocus {
  const held = useRef<{ lesson: string; name: string | null }>(undefined);
  useLayoutEffect(() => {
    if (!held.current || (document.activeElement !== document.body && document.activeElement?.isConnected)) return;
    const { lesson, name } = held.current;
    const controls = list.current?.querySelectorAll<HTMLElement>(`[data-lesson="${lesson}"] :is(button, input, a, summary)`);
    [...(controls ?? [])].find((control) => nameOf(control) === name)?.focus();
  });
  return {
    onFocus: ({ target }) => {
      const lesson = target.closest<HTMLElement>("[data-lesson]")?.dataset["lesson"];
      held.current = lesson === undefined ? undefined : { lesson, name: nameOf(target) };
    },
    // Not called for an element that is removed while it has the focus.
    onBlur: () => {
      held.current = undefined;
    },
  };
}

const nameOf = (control: Element): string | null => control.getAttribute("aria-label") ?? control.textContent;
