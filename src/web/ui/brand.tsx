import type { ReactNode } from "react";
import { siteName } from "../platform/site.ts";
import { cx } from "./cx.ts";

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

/** @param isCompact on a phone the mark stands alone, and the name is only read out. */
export function Brand({ isCompact }: { isCompact?: boolean }): ReactNode {
  return (
    <span className="inline-flex items-center gap-2.5 font-semibold tracking-tight">
      <BrandMark />
      <span className={cx("max-w-[38vw] truncate sm:max-w-64", isCompact && "max-sm:sr-only")}>{siteName()}</span>
    </span>
  );
}
