import * as z from "zod";
import { canonical, rounded } from "#domain/money";

export type Coin = "bitcoin" | "ethereum";

/** The public crypto price service. */
export interface PriceSource {
  /** The USD price of one coin, a decimal string with at most 2 digits after the point; throws when the service fails. */
  usdPrice(coin: Coin): Promise<string>;
}

const Reply = z.record(z.string(), z.object({ usd: z.number().positive() }));

/** Asks `address?ids=COIN&vs_currencies=usd`, the form of CoinGecko's `simple/price`. */
export function httpPriceSource(address: string, timeoutMs = 5000): PriceSource {
  return {
    async usdPrice(coin) {
      const url = new URL(address);
      url.searchParams.set("ids", coin);
      url.searchParams.set("vs_currencies", "usd");
      const reply = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), headers: { accept: "application/json" } });
      if (!reply.ok) throw new Error(`The price service answered ${reply.status}.`);
      const price = Reply.parse(await reply.json())[coin]?.usd;
      if (price === undefined) throw new Error("The price service's answer has no price.");
      return canonical(rounded(String(price), 2));
    },
  };
}
