import * as z from "zod/mini";
import { packageTypes } from "#domain/packages";
import { cryptoTypes } from "#domain/payment-methods/methods";
import { paymentStatuses } from "#domain/payments/payment-request";
import { choiceFilter, searchFilter } from "../list/use-list-filters.ts";
import type { PaymentFilter } from "./queries.ts";

/** The filters of the list of payment requests, as the address has them (REVIEW-7). */
export const paymentFilters = z.object({
  status: choiceFilter([...paymentStatuses, "all"], "pending"),
  method: choiceFilter([...cryptoTypes, "none", "all"], "all"),
  package: choiceFilter([...packageTypes, "all"], "all"),
  flagged: choiceFilter(["true", "false", "all"], "all"),
  sort: choiceFilter(["default", "newest", "oldest"], "default"),
  search: searchFilter,
  /** The open request; the first of the queue without one. */
  request: searchFilter,
});
export type PaymentFilters = z.infer<typeof paymentFilters>;

/** Returns the order that is displayed: by default, pending requests are decided in the order in which they came. */
export function sortOf({ sort, status }: PaymentFilters): "newest" | "oldest" {
  if (sort !== "default") return sort;
  return status === "pending" ? "oldest" : "newest";
}

/** Returns the filters as the contract has them. */
export function contractFilter(filters: PaymentFilters): Omit<PaymentFilter, "limit"> {
  const { status, method, package: packageType, flagged, search } = filters;
  return {
    ...(status !== "all" && { status }),
    ...(method !== "all" && { method }),
    ...(packageType !== "all" && { package: packageType }),
    // Its choice is on the page for pending requests alone.
    ...(status === "pending" && flagged !== "all" && { flagged }),
    ...(search !== "" && { search }),
    sort: sortOf(filters),
  };
}

/** Returns the filters of the queue from the address of the list or of a request's page, as the other address takes them (REVIEW-7). */
export function queueSearch(search: string): string {
  const params = new URLSearchParams(search);
  for (const name of ["tab", "request"]) params.delete(name);
  return params.toString();
}
