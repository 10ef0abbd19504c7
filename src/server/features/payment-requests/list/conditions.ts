import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { CryptoType } from "#domain/payment-methods/methods";
import type { PackageType } from "#domain/packages";
import type { PaymentStatus } from "#domain/payments/payment-request";
import { withPlainAmounts } from "#domain/search";
import { containsText, searchKeys } from "../../../platform/db/search/contains-text.ts";
import { paymentRequests } from "../../../platform/db/schema.ts";

/** What the admin's list is filtered by (LIST-1, LIST-2). */
export interface ReviewFilter {
  status?: PaymentStatus | undefined;
  method?: CryptoType | "none" | undefined;
  package?: PackageType | undefined;
  flagged?: "true" | "false" | undefined;
  search?: string | undefined;
}

/** Returns the condition that a request passes a filter; undefined when every request does. */
export function reviewConditions(filter: ReviewFilter): SQL | undefined {
  const { status, crypto_type, package_type, flagged, search_text } = paymentRequests;
  return and(
    filter.status && eq(status, filter.status),
    filter.method && (filter.method === "none" ? isNull(crypto_type) : eq(crypto_type, filter.method)),
    filter.package && eq(package_type, filter.package),
    filter.flagged && eq(flagged, filter.flagged === "true"),
    filter.search === undefined ? undefined : containsText(withPlainAmounts(filter.search), search_text),
  );
}

/** Returns what the search index has of every request that passes a filter. */
export function reviewKeys({ search = "", ...filter }: ReviewFilter): string[] {
  const { status, method, flagged } = filter;
  const tags = Object.entries({ status, method, package: filter.package, flagged });
  return [
    ...searchKeys(withPlainAmounts(search)),
    ...tags.flatMap(([name, value]) => (value === undefined ? [] : [`${name}:${value}`])),
  ];
}
