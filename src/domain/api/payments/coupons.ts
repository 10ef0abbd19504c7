import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { couponPackages, couponStates, isCouponPeriod, isDiscountPercent, maxCouponUses } from "../../payments/coupon.ts";
import { amount, code, pageOf, pageQuery, plainText } from "../fields.ts";

const percent = z.string().check(
  z.trim(),
  z.refine((text) => isDiscountPercent(text), code("percent_invalid")),
);

/** Upper case, because the student's input is forced to upper case (COUPON-1). */
const couponCode = z.string().check(z.trim(), z.regex(/^[A-Z0-9_-]{1,40}$/, code("coupon_code_invalid")));

const maxUses = z.int(code("max_uses_invalid")).check(z.gte(1), z.lte(maxCouponUses));

/** A time that the database stores in any time zone. */
const couponTime = z.iso.datetime(code("date_invalid")).check(z.regex(/^2/, code("date_invalid")));

/** What the admin sets. */
const couponTerms = {
  discount_starter: percent,
  discount_advanced: percent,
  packages: z.enum(couponPackages),
  active: z.boolean(),
  starts_at: z.nullable(couponTime),
  ends_at: z.nullable(couponTime),
  /** Null for no limit (COUPON-7). */
  max_uses: z.nullable(maxUses),
};

const isPeriod = z.refine<{ starts_at?: string | null | undefined; ends_at?: string | null | undefined }>(
  ({ starts_at = null, ends_at = null }) => isCouponPeriod(starts_at, ends_at),
  { error: code("coupon_period_invalid"), path: ["ends_at"] },
);

export const Coupon = z.object({
  code: z.string(),
  ...couponTerms,
  discount_starter: amount,
  discount_advanced: amount,
  state: z.enum(couponStates),
  /** Requests with this code, and what they come to in USD (COUPON-8). */
  pending_uses: z.int(),
  pending_usd: amount,
  approved_uses: z.int(),
  approved_usd: amount,
  /** Uses that open quotes hold; 0 where there is no limit. */
  held_uses: z.int(),
});
export type Coupon = z.infer<typeof Coupon>;

/** A new coupon; what is left out sets no limit. */
export const NewCoupon = z
  .object({
    code: couponCode,
    ...couponTerms,
    packages: z._default(couponTerms.packages, "both"),
    active: z._default(couponTerms.active, true),
    starts_at: z._default(couponTerms.starts_at, null),
    ends_at: z._default(couponTerms.ends_at, null),
    max_uses: z._default(couponTerms.max_uses, null),
  })
  .check(isPeriod);
export type NewCoupon = z.infer<typeof NewCoupon>;

export const CouponChanges = z.partial(z.object(couponTerms)).check(isPeriod);
export type CouponChanges = z.infer<typeof CouponChanges>;

export const CouponFilter = z.object({
  state: z.optional(z.enum(couponStates)),
  search: z.optional(plainText(200)),
});
export type CouponFilter = z.infer<typeof CouponFilter>;

export const coupons = {
  list: oc
    .route({ method: "GET", path: "/api/coupons", summary: "Coupons in the order of their codes, with their uses" })
    .input(z.extend(CouponFilter, pageQuery))
    .output(pageOf(Coupon)),
  create: oc
    .route({ method: "POST", path: "/api/coupons", successStatus: 201, summary: "Add a coupon" })
    .input(NewCoupon)
    .output(Coupon),
  update: oc
    .route({ method: "PATCH", path: "/api/coupons/{code}", inputStructure: "detailed", summary: "Change a coupon" })
    .input(z.object({ params: z.object({ code: plainText(100) }), body: CouponChanges }))
    .output(Coupon),
  remove: oc
    .route({ method: "DELETE", path: "/api/coupons/{code}", inputStructure: "detailed", summary: "Delete a coupon" })
    .input(z.object({ params: z.object({ code: plainText(100) }) }))
    .output(z.object({ deleted: z.literal(true) })),
};
