import type { ReactNode } from "react";
import { siteName } from "../platform/site.ts";

/** Two candles, the second above the first. */
export function BrandMark(): ReactNode {
  return (
    <svg
      aria-hidden
      viewBox="0 0 24 24"
      className="size-6 shrink-0 text-action"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
    >
      <path d="M7.5 3v18M16.5 3v18" />
      <rect x="4.5" y="10" width="6" height="7.5" className="fill-ground" />
      <rect x="13.5" y="6" width="6" height="8.5" fill="currentColor" />
    </svg>
  );
}

export function Brand(): ReactNode {
  return (
    <span className="inline-flex items-center gap-2.5 font-semibold tracking-tight">
      <BrandMark />
      <span className="max-w-[38vw] truncate sm:max-w-64">{siteName()}</span>
    </span>
  );
}
