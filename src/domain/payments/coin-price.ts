import { decimal } from "../money.ts";
import { isFarPrice } from "../payment-methods/coin.ts";

/** Who set a price: the admin, or the public price service from which it was fetched. */
export const priceSources = ["admin", "price-service"] as const;
export type PriceSource = (typeof priceSources)[number];

/** Why a public price is not taken without a person (PRICE-4). */
export const holdReasons = ["out_of_bounds", "large_step"] as const;
export type HoldReason = (typeof holdReasons)[number];

/** Why a price needs a look, the most important first (PRICE-2). */
export const priceWarnings = ["never_set", ...holdReasons, "off_public", "old"] as const;
export type PriceWarning = (typeof priceWarnings)[number];

/** The most and the least that may be taken from the public service; null is no bound. USD decimal strings. */
export interface PriceBounds {
  lowest_usd: string | null;
  highest_usd: string | null;
}

/** A price as it is, in USD decimal strings. */
export interface KnownPrice {
  usd: string;
  set_at: Date | null;
  /** The last one that the public service stated. */
  public_price: { usd: string; at: Date } | null;
  held_reason: HoldReason | null;
}

const dayMs = 24 * 3600 * 1000;

/** Returns why a price needs a look, the most important reason first (PRICE-2). */
export function warningsOf({ usd, set_at, public_price, held_reason }: KnownPrice, now: Date): PriceWarning[] {
  const isOff = public_price !== null && isWithinDay(public_price.at, now) && isOffPublic(usd, public_price.usd);
  return priceWarnings.filter(
    (warning) =>
      ({
        never_set: set_at === null,
        out_of_bounds: held_reason === "out_of_bounds",
        large_step: held_reason === "large_step",
        off_public: isOff,
        old: set_at !== null && !isWithinDay(set_at, now),
      })[warning],
  );
}

/**
 * Returns why a public price is not taken without a person (PRICE-4), if there is a reason: it is outside of the owner's bounds, or more
 * than 20% off the price so far.
 */
export function holdReasonOf(publicUsd: string, usd: string, { lowest_usd, highest_usd }: PriceBounds): HoldReason | undefined {
  const price = decimal(publicUsd);
  if (lowest_usd !== null && price.lt(lowest_usd)) return "out_of_bounds";
  if (highest_usd !== null && price.gt(highest_usd)) return "out_of_bounds";
  return isFarPrice(publicUsd, usd) ? "large_step" : undefined;
}

/** Whether a price is more than 5% above or below the public one. */
function isOffPublic(usd: string, publicUsd: string): boolean {
  return decimal(usd).minus(publicUsd).abs().gt(decimal(publicUsd).times("0.05"));
}

/** A time a day ahead is as doubtful as one a day ago: a clock was wrong. */
function isWithinDay(time: Date, now: Date): boolean {
  return Math.abs(now.getTime() - time.getTime()) <= dayMs;
}
