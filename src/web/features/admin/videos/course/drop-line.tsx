import type { ReactNode } from "react";
import { cx } from "../../../../ui/cx.ts";

/**
 * Returns where the line of a gap is drawn at one of `count` items. The gap above an item is the one below the item before it:
 * it is drawn once.
 */
export function lineAt(gap: number, index: number, count: number): "above" | "below" | undefined {
  if (gap === index) return "above";
  return gap === count && index === count - 1 ? "below" : undefined;
}

/** The line that marks where what is dragged would be dropped. */
export function DropLine({ at }: { at: "above" | "below" }): ReactNode {
  return (
    <span
      aria-hidden
      className={cx("pointer-events-none absolute inset-x-0 z-10 h-0.5 bg-action", at === "above" ? "-top-px" : "-bottom-px")}
    />
  );
}
