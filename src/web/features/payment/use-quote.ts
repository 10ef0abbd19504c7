import { useCallback, useEffect, useRef, useState } from "react";
import type { Quote } from "#domain/api/quotes";
import { normaliseCouponInput } from "#domain/coupon";
import { errors, type ProductError } from "#domain/messages";
import type { PackageType } from "#domain/packages";
import { api } from "../../platform/api.ts";
import { messageOf, refusal } from "../../platform/errors.ts";
import { quoteChanges } from "./quote-changes.ts";
import { useSecondsLeft } from "../../platform/use-seconds-left.ts";

/** A quote and when it came, by this browser's clock: the server's may differ. */
interface Held {
  quote: Quote;
  receivedAt: number;
}

export interface QuoteState {
  quote: Quote | undefined;
  secondsLeft: number;
  isRenewing: boolean;
  /** Nothing can be shown, or an expired quote could not be renewed. */
  error: string | undefined;
  /** What the last renewal changed; undefined while there was none. */
  renewal: string[] | undefined;
  isCheckingCoupon: boolean;
  couponError: string | undefined;
  applyCoupon: (text: string) => void;
  removeCoupon: () => void;
  clearCouponError: () => void;
  renew: () => void;
}

/** The quote of a package: fetched at once, renewed when it ends, replaced when a coupon comes or goes (decisions 6, 11). */
export function useQuote(packageType: PackageType): QuoteState {
  const [held, setHeld] = useState<Held>();
  const [isRenewing, setRenewing] = useState(false);
  const [error, setError] = useState<string>();
  const [renewal, setRenewal] = useState<string[]>();
  const [isCheckingCoupon, setCheckingCoupon] = useState(false);
  const [couponError, setCouponError] = useState<string>();
  // Only the newest answer counts, whatever order they come in.
  const newest = useRef(0);
  const secondsLeft = useSecondsLeft(held?.receivedAt, lifetimeMs(held?.quote));

  const fetchQuote = useCallback(
    async (coupon: string | null): Promise<Quote | undefined> => {
      const turn = ++newest.current;
      const quote = await api.quotes.create({ package_type: packageType, ...(coupon === null ? {} : { coupon_code: coupon }) });
      if (turn !== newest.current) return undefined;
      setHeld({ quote, receivedAt: Date.now() });
      setError(undefined);
      return quote;
    },
    [packageType],
  );

  const renew = useCallback(
    async (before: Quote | undefined): Promise<void> => {
      setRenewing(true);
      setError(undefined);
      try {
        const after = await renewed(before, fetchQuote);
        if (before && after) setRenewal(quoteChanges(before, after));
      } catch (thrown) {
        setError(messageOf(thrown, "payment_info_failed"));
      } finally {
        setRenewing(false);
      }
    },
    [fetchQuote],
  );

  useEffect(() => void renew(undefined), [renew]);

  const isOver = held !== undefined && secondsLeft === 0;
  useEffect(() => {
    if (isOver && !isCheckingCoupon) void renew(held?.quote);
    // Once an end, not at every change of what is held.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isOver]);

  const changeCoupon = async (coupon: string | null): Promise<void> => {
    setCheckingCoupon(true);
    setCouponError(undefined);
    try {
      if (await fetchQuote(coupon)) setRenewal(undefined);
    } catch (thrown) {
      setCouponError(messageOf(thrown, coupon === null ? "payment_info_failed" : "coupon_lookup_failed"));
    } finally {
      setCheckingCoupon(false);
    }
  };

  return {
    quote: held?.quote,
    secondsLeft,
    isRenewing,
    error,
    renewal,
    isCheckingCoupon,
    couponError,
    applyCoupon: (text) => {
      const code = normaliseCouponInput(text);
      if (code === "") setCouponError(refusal("coupon_empty"));
      else void changeCoupon(code);
    },
    removeCoupon: () => void changeCoupon(null),
    clearCouponError: () => setCouponError(undefined),
    renew: () => void renew(held?.quote),
  };
}

/** The same choice again; a coupon that has ended meanwhile is dropped rather than blocking the page. */
async function renewed(
  before: Quote | undefined,
  fetchQuote: (coupon: string | null) => Promise<Quote | undefined>,
): Promise<Quote | undefined> {
  const coupon = before?.coupon_code ?? null;
  try {
    return await fetchQuote(coupon);
  } catch (thrown) {
    if (coupon === null || (thrown as ProductError).message !== errors.coupon_invalid.text) throw thrown;
    return fetchQuote(null);
  }
}

function lifetimeMs(quote: Quote | undefined): number {
  return quote ? Date.parse(quote.expires_at) - Date.parse(quote.created_at) : 0;
}
