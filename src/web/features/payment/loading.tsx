import type { ReactNode } from "react";
import { Skeleton } from "../../ui/skeleton.tsx";

/** Placeholders of the three steps. */
export function CheckoutLoading(): ReactNode {
  return (
    <div role="status" className="mt-8 grid gap-6 md:grid-cols-2 xl:grid-cols-3">
      <span className="sr-only">Loading payment information...</span>
      <Skeleton className="h-112" />
      <Skeleton className="h-112" />
      <Skeleton className="h-112" />
    </div>
  );
}
