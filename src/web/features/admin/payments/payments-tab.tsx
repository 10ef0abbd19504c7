import type { ReactNode } from "react";
import { useListFilters } from "../list/use-list-filters.ts";
import { PaymentFilterBar } from "./filter-bar.tsx";
import { contractFilter, paymentFilters } from "./filters.ts";
import { PaymentList } from "./payment-list.tsx";
import { Review } from "./review/review.tsx";

/** Pending requests are reviewed one after the other (REVIEW-1); the others are a list. */
export function PaymentsTab(): ReactNode {
  const [filters, change] = useListFilters(paymentFilters);
  const filter = contractFilter(filters);
  return (
    <>
      {/* Another filter is another queue, which opens on its first request. */}
      <PaymentFilterBar filters={filters} onChange={(changes, options) => change({ ...changes, request: "" }, options)} />
      {filters.status === "pending" ? (
        <Review
          key={JSON.stringify(filter)}
          filter={filter}
          openId={filters.request === "" ? undefined : filters.request}
          onOpen={(id = "") => change({ request: id }, { replace: true })}
        />
      ) : (
        <PaymentList filter={filter} />
      )}
    </>
  );
}
