import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { packageTypes } from "../../packages.ts";
import { cryptoTypes } from "../../payment-methods/methods.ts";
import { amount, code, id, plainText, timestamp } from "../fields.ts";

export const QuotedMethod = z.object({
  crypto_type: z.enum(cryptoTypes),
  available: z.boolean(),
  amount_crypto: amount,
  wallet_address: z.string(),
  /** Its last digits tell this payment from others to the same destination (QUOTE-8). */
  own_digits: z.optional(z.boolean()),
  /** The bank's parts, for the Thai bank transfer only. */
  bank: z.optional(
    z.object({
      name: z.string(),
      account_number: z.string(),
      account_name: z.string(),
      /** Empty when the operator has not given one. */
      promptpay_id: z.string(),
    }),
  ),
});

/** Figures that were promised to the caller before, and that they may have paid by. */
export const EarlierQuote = z.object({
  id,
  amount_usd: amount,
  created_at: timestamp,
  methods: z.array(z.pick(QuotedMethod, { crypto_type: true, amount_crypto: true, wallet_address: true })),
});
export type EarlierQuote = z.infer<typeof EarlierQuote>;

export const Quote = z.object({
  id,
  package_type: z.enum(packageTypes),
  coupon_code: z.nullable(z.string()),
  /** The coupon has few uses, one of which is held for the caller until the quote ends (COUPON-7). */
  coupon_held: z.boolean(),
  discount_percent: amount,
  original_usd: amount,
  discount_usd: amount,
  /** What was paid for Starter and is taken off; "0" unless the operator grants it (UPGRADE_CREDIT). */
  upgrade_credit_usd: amount,
  amount_usd: amount,
  created_at: timestamp,
  expires_at: timestamp,
  methods: z.array(QuotedMethod),
  /** The caller's other ones for the same package, newest first, where they promised something else (QUOTE-6). */
  earlier: z.array(EarlierQuote),
  /** An address or account comes from `npm run seed` and must not be paid to (WALLET-7). */
  is_sample: z.boolean(),
});
export type Quote = z.infer<typeof Quote>;

/** What Advanced costs the caller now, without a coupon. */
export const UpgradeOffer = z.object({ original_usd: amount, upgrade_credit_usd: amount, amount_usd: amount });
export type UpgradeOffer = z.infer<typeof UpgradeOffer>;

/** Percents are null for a package that the caller cannot buy now or that is not reduced (COUPON-4). */
const LaunchOffer = z.object({
  code: z.string(),
  discount_starter: z.nullable(z.string()),
  discount_advanced: z.nullable(z.string()),
});

export const quotes = {
  create: oc
    .route({ method: "POST", path: "/api/quotes", successStatus: 201, summary: "Fix amounts and addresses for 30 minutes" })
    .input(
      z.object({
        package_type: z.enum(packageTypes),
        coupon_code: z.optional(z.nullable(plainText(100, code("coupon_invalid")))),
        /** The caller's own quote in whose place this one is displayed; its address and last digits are taken over (QUOTE-7). */
        replaces: z.optional(id),
      }),
    )
    .output(Quote),
  state: oc
    .route({ method: "GET", path: "/api/quotes/{id}", inputStructure: "detailed", summary: "Whether a quote was ended early" })
    .input(z.object({ params: z.object({ id }) }))
    .output(z.object({ is_void: z.boolean() })),
  upgradeOffer: oc
    .route({ method: "GET", path: "/api/upgrade-offer", summary: "What Advanced costs the caller" })
    .output(UpgradeOffer),
  launchOffer: oc
    .route({
      method: "GET",
      path: "/api/launch-offer",
      // Stryker disable next-line StringLiteral: how oRPC replies, which the server's tests see.
      outputStructure: "detailed",
      summary: "What the launch coupon takes off for the caller, 204 when nothing",
    })
    .output(z.union([z.object({ status: z.literal(200), body: LaunchOffer }), z.object({ status: z.literal(204) })])),
};
