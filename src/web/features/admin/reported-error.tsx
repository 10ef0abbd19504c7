import type { ReactNode } from "react";
import { dismissError } from "../../platform/query/reported-error.ts";
import { Banner } from "../../ui/banner.tsx";

/** The banner for `useReportedError`, which the page itself calls, so that what fails while it loads is kept. */
export function ReportedError({ error }: { error: string | undefined }): ReactNode {
  if (error === undefined) return null;
  return (
    <Banner tone="loss" className="sticky top-[calc(5rem+var(--notice,0rem))] z-20" onClose={dismissError}>
      {error}
    </Banner>
  );
}
