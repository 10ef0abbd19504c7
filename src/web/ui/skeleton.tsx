import type { ReactNode } from "react";
import { cx } from "./cx.ts";

/** A place held for what is still on its way; its size comes from the class. */
export function Skeleton({ className }: { className?: string }): ReactNode {
  return <div aria-hidden className={cx("animate-pulse rounded-control bg-raised", className)} />;
}
