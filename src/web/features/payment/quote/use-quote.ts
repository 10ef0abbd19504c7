import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import * as z from "zod/mini";
import { Quote } from "#domain/api/payments/quotes";
import type { ErrorCode } from "#domain/errors/messages";
import { normaliseCouponInput } from "#domain/payments/coupon";
import { subscriptionStatuses, type PackageType, type SubscriptionStatus } from "#domain/packages";
import { refreshMyRequests } from "../../../entities/payment-request/queries.ts";
import { refreshMe } from "../../../entities/session/session.tsx";
import { api } from "../../../platform/api.ts";
import { isBeyondUser, messageOf, productErrorOf, refusal } from "../../../platform/errors.ts";
import { useKeptState } from "../../../platform/kept-state.ts";
import { useIsIdle } from "../../../platform/timing/use-idle.ts";
import { useIsVisible } from "../../../platform/timing/use-is-visible.ts";
import { useSecondsLeft } from "../../../platform/timing/use-seconds-left.ts";
import { useIsVoid } from "../queries.ts";
import { placeChanges, quoteChanges } from "./quote-changes.ts";

/** How long a page renews its quotes while nobody uses it, in milliseconds (QUOTE-10). */
const idleMs = 60 * 60_000;

/** A quote and when it was received, by this browser's clock, which may differ from the server's. */
const Held = z.object({
  quote: Quote,
  /** The student's, on which the price depends (PACKAGE-4). */
  tier: z.enum(subscriptionStatuses),
  receivedAt: z.number(),
  /** Why the server no longer accepts it, whatever this clock says. */
  refusedAs: z.optional(z.enum(["expired", "void"])),
});
type Held = z.infer<typeof Held>;

/** What a new quote changes that the student did not ask for. */
const Renewal = z.object({
  /** The old one expired, or was ended early (GUARD-4), or a coupon came or went, or the student's tier changed. */
  reason: z.enum(["expired", "void", "coupon", "tier"]),
  changes: z.array(z.string()),
});
export type Renewal = z.infer<typeof Renewal>;

export interface QuoteState {
  quote: Quote | undefined;
  secondsLeft: number;
  isRenewing: boolean;
  /** The quote has ended, and the next one waits until it is asked for (QUOTE-10). */
  isStopped: boolean;
  /** There is no quote, or an expired one could not be renewed. */
  error: string | undefined;
  /** Undefined while there was none. */
  renewal: Renewal | undefined;
  isCheckingCoupon: boolean;
  /** A coupon was applied since the page was opened, not restored with it. */
  hasAppliedCoupon: boolean;
  couponError: string | undefined;
  /** Whether to display the contacts below it (CONTACT-1). */
  couponOffersHelp: boolean;
  applyCoupon: (text: string) => void;
  removeCoupon: () => void;
  clearCouponError: () => void;
  /** Asks for a new one: the server refuses this one, or the last try failed. */
  renew: (code?: ErrorCode) => void;
}

/** The quote of a package: fetched at once, renewed when it ends or is next seen after that, replaced when a coupon comes or goes or the tier changes (QUOTE-2, QUOTE-10, COUPON-1, JOURNEY-3). */
export function useQuote(packageType: PackageType, tier: SubscriptionStatus): QuoteState {
  // Kept as the form is, so that a student who comes back finds the figures that they may have paid by (JOURNEY-3).
  const place = `payment of ${packageType}`;
  const [held, setHeld] = useKeptState<Held | undefined>(`${place}: quote`, undefined, Held);
  const [renewal, setRenewal] = useKeptState<Renewal | undefined>(`${place}: renewal`, undefined, Renewal);
  const [error, setError] = useState<string>();
  const coupon = useMutation({
    mutationFn: async (code: string | null) => {
      if (code === "") throw refusal("coupon_empty");
      return justReceived(await fetchQuote(packageType, code, held?.quote), tier);
    },
    onSuccess: (received) => {
      const moved = held ? placeChanges(held.quote, received.quote) : [];
      setHeld(received);
      setError(undefined);
      setRenewal(moved.length > 0 ? { reason: "coupon", changes: moved } : undefined);
    },
  });
  const isCheckingCoupon = coupon.isPending;
  const secondsLeft = useSecondsLeft(held?.receivedAt, lifetimeMs(held?.quote));

  const isVoid = useIsVoid(held?.quote.id) || held?.refusedAs === "void";
  const isOfOtherTier = held !== undefined && held.tier !== tier;
  // Replaced at once, also on a page that nobody sees or uses: nobody is to pay by it.
  const isInvalid = isVoid || isOfOtherTier;
  const isOver = held === undefined || isInvalid || held.refusedAs !== undefined || secondsLeft === 0;
  const isVisible = useIsVisible();
  // A page that nobody sees holds no use of a coupon for longer than its quote (COUPON-7).
  const isSought = isVisible || held === undefined || isInvalid;
  const [stoppedAt, setStoppedAt] = useState<string>();
  const isStopped = held !== undefined && isOver && !isInvalid && stoppedAt === held.quote.id;
  // Only a button goes on from here: the first touch of somebody who is back would exchange the amounts under their eyes.
  const stopsNow = useIsIdle(idleMs) && isOver && !isInvalid && error === undefined;
  if (held && stopsNow && !isStopped) setStoppedAt(held.quote.id);
  // Follows from the rest, so that an end is never missed; a coupon that is looked up may bring a new quote itself.
  const isRenewing = isOver && isSought && !isStopped && !isCheckingCoupon && error === undefined;
  useEffect(() => {
    if (!isRenewing) return;
    let isWanted = true;
    // One of another tier is not replaced, so that a student who has just paid by it may name it at once (QUOTE-6).
    renewed(packageType, held?.quote.coupon_code ?? null, isOfOtherTier ? undefined : held?.quote).then(
      (quote) => {
        if (!isWanted) return;
        setHeld(justReceived(quote, tier));
        if (!held) return;
        const changes = quoteChanges(held.quote, quote);
        // What an earlier one changed holds on, since the student may have paid before it.
        const reason = isVoid ? "void" : isOfOtherTier ? "tier" : "expired";
        setRenewal((before) => (changes.length === 0 && before?.changes.length ? before : { reason, changes }));
      },
      (thrown: unknown) => {
        const { code } = productErrorOf(thrown);
        if (code === "payment_request_open") void refreshMyRequests();
        if (code === "package_owned") void refreshMe();
        if (isWanted) setError(messageOf(thrown, "payment_info_failed"));
      },
    );
    return () => {
      isWanted = false;
    };
  }, [isRenewing, isVoid, isOfOtherTier, held, setHeld, setRenewal, packageType, tier]);

  const renew = (code?: ErrorCode): void => {
    setError(undefined);
    setStoppedAt(undefined);
    setHeld((before) => before && { ...before, refusedAs: code === "quote_void" ? "void" : "expired" });
  };
  useEffect(() => {
    if (error === undefined) return;
    // What failed without a connection goes on by itself when it is back.
    const again = (): void => setError(undefined);
    addEventListener("online", again);
    return () => removeEventListener("online", again);
  }, [error]);

  return {
    quote: held?.quote,
    secondsLeft: isOver ? 0 : secondsLeft,
    isRenewing,
    isStopped,
    error,
    renewal,
    isCheckingCoupon,
    hasAppliedCoupon: coupon.isSuccess && coupon.data.quote.coupon_code !== null,
    couponError:
      coupon.error === null
        ? undefined
        : messageOf(coupon.error, coupon.variables === null ? "payment_info_failed" : "coupon_lookup_failed"),
    couponOffersHelp: coupon.error !== null && isBeyondUser(coupon.error),
    applyCoupon: (text) => coupon.mutate(normaliseCouponInput(text)),
    removeCoupon: () => coupon.mutate(null),
    // A check that is under way goes on.
    clearCouponError: () => coupon.isError && coupon.reset(),
    renew,
  };
}

/** Asks for a quote in the place of the one before, so that address and last digits stay where they can. */
async function fetchQuote(packageType: PackageType, coupon: string | null, replaced: Quote | undefined): Promise<Quote> {
  return api.quotes.create({
    package_type: packageType,
    ...(coupon !== null && { coupon_code: coupon }),
    ...(replaced && { replaces: replaced.id }),
  });
}

/** Returns whether an error says that a coupon which applied before applies no more. */
const endsCoupon = (code: ErrorCode): boolean => code.startsWith("coupon_");

/** The same choice again; a coupon that has ended meanwhile is dropped rather than blocking the page. */
async function renewed(packageType: PackageType, coupon: string | null, replaced: Quote | undefined): Promise<Quote> {
  try {
    return await fetchQuote(packageType, coupon, replaced);
  } catch (thrown) {
    if (coupon === null || !endsCoupon(productErrorOf(thrown).code)) throw thrown;
    return fetchQuote(packageType, null, replaced);
  }
}

function justReceived(quote: Quote, tier: SubscriptionStatus): Held {
  return { quote, tier, receivedAt: Date.now() };
}

function lifetimeMs(quote: Quote | undefined): number {
  return quote ? Date.parse(quote.expires_at) - Date.parse(quote.created_at) : 0;
}
