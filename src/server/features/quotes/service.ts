/** What other features may call. */
export { availableMethod, findQuotedPayment, type QuotedPayment } from "./quoted-payment.ts";
