import type { ReactNode } from "react";
import { useTitle } from "./platform/site.ts";
import { Notice } from "./ui/notice.tsx";

export function NotFoundPage(): ReactNode {
  useTitle("Page not found");
  return (
    <Notice code="404" title="Page not found" backTo="/" backLabel="Back to the course page">
      There is no page at this address. It may have moved, or the address may have a typing error.
    </Notice>
  );
}
