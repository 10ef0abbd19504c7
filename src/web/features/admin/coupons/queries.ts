import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useMutation } from "@tanstack/react-query";
import * as z from "zod/mini";
import type { Coupon } from "#domain/api/payments/coupons";
import { couponStates } from "#domain/payments/coupon";
import { api } from "../../../platform/api.ts";
import { cursorPages, replaceInPages } from "../../../platform/query/pages.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { choiceFilter, searchFilter } from "../list/use-list-filters.ts";

export const couponsKey = ["coupons"];

export const CouponFilters = z.object({ state: choiceFilter(["all", ...couponStates], "all"), search: searchFilter });
type CouponFilters = z.infer<typeof CouponFilters>;

const couponsOptions = ({ state, search }: CouponFilters) =>
  infiniteQueryOptions({
    queryKey: [...couponsKey, state, search],
    ...cursorPages((cursor) => api.coupons.list({ ...(state !== "all" && { state }), ...(search && { search }), cursor })),
    placeholderData: keepPreviousData,
    // Requests use them.
    meta: { reportAs: "dashboard_load_failed", staleAfter: ["coupons", "payment-requests"] },
  });

/** Returns the coupons that a filter leaves, a page at a time. */
export const useCoupons = (filters: CouponFilters) => useInfiniteQuery(couponsOptions(filters));

export const refreshCoupons = (): Promise<void> => queryClient.invalidateQueries({ queryKey: couponsKey });

/** Switches a coupon off, or on again. It stays where it is displayed with its new state, although a filter may leave it out by now. */
export const useSwitchCoupon = ({ code }: Coupon) =>
  useMutation({
    mutationFn: (active: boolean) => api.coupons.update({ params: { code }, body: { active } }),
    onSuccess: (coupon) => {
      replaceInPages<Coupon>(couponsKey, (one) => one.code === coupon.code, coupon);
      return refreshCoupons();
    },
    meta: { reportAs: "unexpected" },
  });
