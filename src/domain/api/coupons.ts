import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { isDiscountPercent } from "../payments/coupon.ts";
import { code, pageOf, pageQuery, plainText } from "./fields.ts";

const percent = z.string().check(
  z.trim(),
  z.refine((text) => isDiscountPercent(text), code("percent_invalid")),
);

/** Upper case, because the student's input is forced to upper case (COUPON-1). */
const couponCode = z.string().check(z.trim(), z.regex(/^[A-Z0-9_-]{1,40}$/, code("coupon_code_invalid")));

export const Coupon = z.object({
  code: z.string(),
  discount_starter: z.string(),
  discount_advanced: z.string(),
  active: z.boolean(),
});
export type Coupon = z.infer<typeof Coupon>;

export const coupons = {
  list: oc
    .route({ method: "GET", path: "/api/coupons", summary: "Every coupon" })
    .input(z.object(pageQuery))
    .output(pageOf(Coupon)),
  create: oc
    .route({ method: "POST", path: "/api/coupons", successStatus: 201, summary: "Add a coupon" })
    .input(
      z.object({
        code: couponCode,
        discount_starter: percent,
        discount_advanced: percent,
        active: z._default(z.boolean(), true),
      }),
    )
    .output(Coupon),
  update: oc
    .route({ method: "PATCH", path: "/api/coupons/{code}", inputStructure: "detailed", summary: "Change a coupon" })
    .input(
      z.object({
        params: z.object({ code: plainText(100) }),
        body: z.partial(z.object({ discount_starter: percent, discount_advanced: percent, active: z.boolean() })),
      }),
    )
    .output(Coupon),
  remove: oc
    .route({ method: "DELETE", path: "/api/coupons/{code}", inputStructure: "detailed", summary: "Delete a coupon" })
    .input(z.object({ params: z.object({ code: plainText(100) }) }))
    .output(z.object({ deleted: z.literal(true) })),
};
