// The tables for queries, each file of `schema/` one subject. `migrations/` creates them; a test compares the two.
export * from "./schema/accounts.ts";
export * from "./schema/audit.ts";
export * from "./schema/chain.ts";
export * from "./schema/coupons.ts";
export * from "./schema/course.ts";
export * from "./schema/decisions.ts";
export * from "./schema/files.ts";
export * from "./schema/mails.ts";
export * from "./schema/own-figures.ts";
export * from "./schema/payments.ts";
export * from "./schema/secrets.ts";
export * from "./schema/totals.ts";
export * from "./schema/wallet.ts";
export * from "./schema/webhooks.ts";
