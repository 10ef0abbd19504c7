/** What other features may call. */
export { findQuotedPayment, type QuotedPayment } from "./quoted-payment.ts";
