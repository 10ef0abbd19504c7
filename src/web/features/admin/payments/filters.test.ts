import { expect, test } from "vitest";
import { contractFilter, paymentFilters } from "./filters.ts";

const filterOf = (address: string) => contractFilter(paymentFilters.parse(Object.fromEntries(new URLSearchParams(address))));

// REVIEW-7
test.each([
  ["", { status: "pending", sort: "oldest" }],
  ["status=all", { sort: "newest" }],
  [
    "status=approved&method=bitcoin&package=advanced",
    { status: "approved", method: "bitcoin", package: "advanced", sort: "newest" },
  ],
  ["flagged=true&search=malee", { status: "pending", flagged: "true", search: "malee", sort: "oldest" }],
  ["status=approved&flagged=true", { status: "approved", sort: "newest" }],
  ["sort=newest", { status: "pending", sort: "newest" }],
  ["status=unheard-of&method=cash&sort=sideways", { status: "pending", sort: "oldest" }],
])("reads the filters of the address %j", (address, filter) => {
  expect(filterOf(address)).toEqual(filter);
});
