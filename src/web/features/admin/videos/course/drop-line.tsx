import type { ReactNode } from "react";
import { cx } from "../../../../ui/cx.ts";

/** The line that marks where what is dragged would be dropped. */
export function DropLine({ at }: { at: "above" | "below" }): ReactNode {
  return (
    <span
      aria-hidden
      className={cx("pointer-events-none absolute inset-x-0 z-10 h-0.5 bg-action", at === "above" ? "-top-px" : "-bottom-px")}
    />
  );
}
