/** What other features may call. */
export { quoteRemovals } from "./retention.ts";
export { availableMethod, findQuotedPayment, type QuotedPayment } from "./quoted-payment.ts";
