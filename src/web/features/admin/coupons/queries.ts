import { infiniteQueryOptions, useInfiniteQuery, useMutation } from "@tanstack/react-query";
import type { Coupon, CouponFilter } from "#domain/api/coupons";
import { api } from "../../../platform/api.ts";
import { cursorPages } from "../../../platform/query/pages.ts";
import { queryClient } from "../../../platform/query/query-client.ts";

export const couponsKey = ["coupons"];

const couponsOptions = (filter: CouponFilter) =>
  infiniteQueryOptions({
    queryKey: [...couponsKey, filter],
    ...cursorPages((cursor) => api.coupons.list({ ...filter, cursor })),
    // Requests use them.
    meta: { reportAs: "dashboard_load_failed", staleAfter: ["coupons", "payment-requests"] },
  });

/** Returns the coupons that a filter leaves, a page at a time. */
export const useCoupons = (filter: CouponFilter) => useInfiniteQuery(couponsOptions(filter));

export const refreshCoupons = (): Promise<void> => queryClient.invalidateQueries({ queryKey: couponsKey });

/** Switches a coupon off, or on again. */
export const useSwitchCoupon = ({ code }: Coupon) =>
  useMutation({
    mutationFn: (active: boolean) => api.coupons.update({ params: { code }, body: { active } }),
    onSuccess: refreshCoupons,
    meta: { reportAs: "unexpected" },
  });
