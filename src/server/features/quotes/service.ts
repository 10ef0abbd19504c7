/** What the rest of the server may call. */
export { addressReuseJobs } from "./address-reuse/job.ts";
export { endOpenWithCredit as endQuotesWithCredit } from "./queries.ts";
export { quoteRemovals } from "./retention.ts";
export { availableMethod, findQuotedPayment, type QuotedPayment } from "./quoted-payment.ts";
