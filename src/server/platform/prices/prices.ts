import * as z from "zod";
import { canonical, rounded } from "#domain/money";
import { isPriceUsd } from "#domain/payment-methods/coin";
import type { Coin } from "#domain/payment-methods/settings";
import { fetchJson } from "../bounded-fetch.ts";

/** The public crypto price service. */
export interface PriceSource {
  /** Returns the USD price of one coin that `isPriceUsd` accepts; throws when the service fails, states no such price, or at `stop`. */
  usdPrice(coin: Coin, stop?: AbortSignal): Promise<string>;
}

const Reply = z.record(z.string(), z.object({ usd: z.number() }));

/** Requests `address?ids=COIN&vs_currencies=usd`, the form of CoinGecko's `simple/price`. */
export function httpPriceSource(address: string, timeoutMs = 5000): PriceSource {
  return {
    async usdPrice(coin, stop) {
      const url = new URL(address);
      url.searchParams.set("ids", coin);
      url.searchParams.set("vs_currencies", "usd");
      const reply = await fetchJson(url, { timeoutMs, stop, init: { headers: { accept: "application/json" } } });
      const stated = Reply.parse(reply)[coin]?.usd;
      if (stated === undefined) throw new Error("The price service stated no price.");
      const price = canonical(rounded(String(stated), 2));
      if (!isPriceUsd(price)) throw new Error(`The price service stated an impossible price: ${price}.`);
      return price;
    },
  };
}
