import { oc } from "@orpc/contract";
import * as z from "zod/mini";
import { decimal } from "../../money.ts";
import { isPriceUsd } from "../../payment-methods/coin.ts";
import { coins } from "../../payment-methods/settings.ts";
import { holdReasons, priceSources, priceWarnings } from "../../payments/coin-price.ts";
import { amount, code, priceInput, timestamp } from "../fields.ts";

export const CoinPrice = z.object({
  coin: z.enum(coins),
  usd: amount,
  /** When it was set, fetched or confirmed; null for a default that nobody set. */
  updated_at: z.nullable(timestamp),
  updated_by: z.nullable(z.enum(priceSources)),
  /** A public price outside of these is not taken. */
  lowest_usd: z.nullable(amount),
  highest_usd: z.nullable(amount),
  /** The last price that the public service stated. */
  public_usd: z.nullable(amount),
  public_at: z.nullable(timestamp),
  /** Whether the service failed when it was last asked. */
  public_failed: z.boolean(),
  warnings: z.array(z.enum(priceWarnings)),
});
export type CoinPrice = z.infer<typeof CoinPrice>;

export const FetchedPrice = z.object({
  coin: z.enum(coins),
  before_usd: amount,
  /** Null when the service has no price. */
  public_usd: z.nullable(amount),
  /** Why the price so far stays; null when the public one was saved. */
  kept: z.nullable(z.enum(["no_public_price", ...holdReasons])),
});
export type FetchedPrice = z.infer<typeof FetchedPrice>;

const bound = z._default(
  z.string().check(
    z.trim(),
    z.refine((text) => text === "" || isPriceUsd(text), code("price_invalid")),
  ),
  "",
);

/** Empty is no bound. */
export const PriceBoundsForm = z.object({ lowest_usd: bound, highest_usd: bound }).check(
  z.refine(
    // What is no price has an error of its own.
    ({ lowest_usd: lowest, highest_usd: highest }) =>
      !isPriceUsd(lowest) || !isPriceUsd(highest) || decimal(lowest).lte(highest),
    { error: code("price_bounds_crossed"), path: ["highest_usd"] },
  ),
);

export type PriceBoundsForm = z.infer<typeof PriceBoundsForm>;

const params = z.object({ coin: z.enum(coins) });

export const coinPrices = {
  list: oc
    .route({ method: "GET", path: "/api/coin-prices", summary: "The coins' prices, their age, and the public ones" })
    .output(z.object({ items: z.array(CoinPrice), refresh_seconds: z.int() })),
  fetch: oc
    .route({ method: "POST", path: "/api/coin-prices/fetch", summary: "Take the public prices" })
    .output(z.object({ items: z.array(FetchedPrice) })),
  set: oc
    .route({
      method: "PUT",
      path: "/api/coin-prices/{coin}",
      inputStructure: "detailed",
      summary: "Set or confirm one coin's price",
    })
    .input(z.object({ params, body: z.object({ usd: priceInput }) }))
    .output(CoinPrice),
  setBounds: oc
    .route({
      method: "PUT",
      path: "/api/coin-prices/{coin}/bounds",
      inputStructure: "detailed",
      summary: "Bound what is taken from the price service",
    })
    .input(z.object({ params, body: PriceBoundsForm }))
    .output(CoinPrice),
};
