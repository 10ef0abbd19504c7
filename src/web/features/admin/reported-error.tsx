import type { ReactNode } from "react";
import { dismissError, useReportedError } from "../../platform/query/reported-error.ts";
import { Banner } from "../../ui/banner.tsx";

/** The banner of the admin's pages for the last error. */
export function ReportedError(): ReactNode {
  const error = useReportedError();
  if (error === undefined) return null;
  return (
    <Banner tone="loss" className="sticky top-20 z-20" onClose={dismissError}>
      {error}
    </Banner>
  );
}
