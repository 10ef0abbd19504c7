import type { ReactNode } from "react";
import { texts } from "#domain/texts/texts";

/** A tab, or a panel of one, while its first query runs. */
export function TabLoading(): ReactNode {
  return (
    <p role="status" className="grid min-h-60 place-items-center text-muted">
      {texts.admin.loading}
    </p>
  );
}
