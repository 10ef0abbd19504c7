import type { MouseEvent, ReactNode } from "react";

/** The first focusable element of every page (KEYS-1). Not through the router: the history entry may hold the token of a mailed link. */
export function SkipLink(): ReactNode {
  return (
    <a
      href="#content"
      onClick={skip}
      className="sr-only z-50 rounded-control bg-action px-4 py-2 text-on-action focus:not-sr-only focus:fixed focus:top-3 focus:left-3 print:hidden"
    >
      Skip to content
    </a>
  );
}

function skip(event: MouseEvent): void {
  event.preventDefault();
  const content = document.getElementById("content");
  content?.scrollIntoView();
  content?.focus({ preventScroll: true });
}
