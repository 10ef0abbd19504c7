import type { ReactNode } from "react";
import { cx } from "./cx.ts";

/** Names on the left, values on the right, a hairline between rows: a statement of account. */
export function Facts({ children }: { children: ReactNode }): ReactNode {
  return <dl className="divide-y divide-line">{children}</dl>;
}

export function Fact({ name, strong, children }: { name: ReactNode; strong?: boolean; children: ReactNode }): ReactNode {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-2.5">
      <dt className="text-small text-muted">{name}</dt>
      <dd
        className={cx(
          "figures min-w-0 text-right max-sm:has-[button]:w-full",
          strong ? "text-title font-semibold" : "font-medium",
        )}
      >
        {children}
      </dd>
    </div>
  );
}
