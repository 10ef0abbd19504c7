import type { ReactNode } from "react";

/** The first focusable element of every page (KEYS-1). */
export function SkipLink(): ReactNode {
  return (
    <a
      href="#content"
      className="sr-only z-50 rounded-control bg-action px-4 py-2 text-on-action focus:not-sr-only focus:fixed focus:top-3 focus:left-3 print:hidden"
    >
      Skip to content
    </a>
  );
}
