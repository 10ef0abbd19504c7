import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

/** A notice above the tabs: one line, cut off on a phone, which opens to all that there is to read and do. */
export function FoldedNotice({ line, children }: { line: ReactNode; children: ReactNode }): ReactNode {
  return (
    <details className="group">
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 rounded-control py-1.5">
        <span className="min-w-0 grow wrap-anywhere group-not-open:max-sm:truncate">{line}</span>
        <ChevronRight aria-hidden className="size-4.5 shrink-0 text-muted transition-transform group-open:rotate-90" />
      </summary>
      <div className="pb-2.5">{children}</div>
    </details>
  );
}
