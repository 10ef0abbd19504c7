import type { CoinPrice } from "#domain/api/payments/coin-prices";
import { decimal, rounded } from "#domain/money";
import type { PriceWarning } from "#domain/payments/coin-price";
import { ago } from "../../../../platform/format.ts";

/** Returns how old a price is and who set it. */
export function ageText({ updated_at, updated_by }: Pick<CoinPrice, "updated_at" | "updated_by">): string {
  if (updated_at === null) return "Never set";
  return updated_by === "admin" ? `Set by hand ${sinceText(updated_at)}` : `Fetched ${sinceText(updated_at)}`;
}

export const sinceText = (iso: string): string => ago((Date.now() - Date.parse(iso)) / 1000);

/** Returns the change from one price to another: `+7.1%`. */
export function changeText(from: string, to: string): string {
  const percent = rounded(decimal(to).minus(from).div(from).times(100), 1);
  return `${percent.startsWith("-") ? "−" : "+"}${percent.replace("-", "")}%`;
}

/** Returns how far a price is from the public one: `7.1% below the public price`. */
function distanceText({ usd, public_usd }: CoinPrice): string {
  const change = changeText(public_usd ?? usd, usd);
  return `${change.slice(1)} ${change.startsWith("+") ? "above" : "below"} the public price`;
}

/** Returns a warning in a few words, to follow the coin's name. */
export function shortWarning(warning: PriceWarning, price: CoinPrice): string {
  switch (warning) {
    case "never_set":
      return "never set";
    case "old":
      return `set ${sinceText(price.updated_at ?? "")}`;
    case "off_public":
      return distanceText(price);
    case "out_of_bounds":
    case "large_step":
      return "not refreshed";
  }
}

/** Returns a warning as a sentence. */
export function longWarning(warning: PriceWarning, price: CoinPrice): string {
  switch (warning) {
    case "never_set":
      return "This price was never set. Students are quoted by the default until you set one.";
    case "old":
      return "This price is older than a day.";
    case "off_public":
      return `This price is ${distanceText(price)}.`;
    case "out_of_bounds":
      return "The public price is outside of your bounds, so it was not taken.";
    case "large_step":
      return "The public price is more than 20% away, so it was not taken without you.";
  }
}
