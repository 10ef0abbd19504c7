import { usdText } from "#domain/money";
import { priceFieldOf } from "#domain/payment-methods/settings";
import type { HoldReason } from "#domain/payments/coin-price";
import { composeMail, type MailSite } from "../../../platform/mail/layout.ts";
import type { Mail } from "../../../platform/mail/outbox.ts";
import type { CoinPriceRow } from "./queries.ts";

interface HeldPrice extends Pick<CoinPriceRow, "coin" | "lowest_usd" | "highest_usd"> {
  before: string;
  usd: string;
  reason: HoldReason;
}

/** Returns the mail to the admin that a public price was not taken. */
export function heldPriceMail({ site, origin }: { site: MailSite; origin: string }, to: string, held: HeldPrice): Mail {
  const { coinName } = priceFieldOf(held.coin);
  return composeMail({
    site,
    to,
    subject: `The ${coinName} price needs your decision`,
    heading: `The ${coinName} price was not refreshed`,
    paragraphs: [
      `The public price is ${usdText(held.usd)} USD. Your price stays at ${usdText(held.before)} USD.`,
      reasonText(held),
      "Set the price or the bounds in the Settings tab of your dashboard. There is no other mail about this until you do.",
    ],
    button: { label: "Open the settings", url: `${origin}/admin?tab=settings` },
  });
}

function reasonText({ reason, lowest_usd, highest_usd }: HeldPrice): string {
  if (reason === "large_step") return "More than 20% in a step is not taken without you.";
  const bounds = [lowest_usd && `from ${usdText(lowest_usd)} USD`, highest_usd && `to ${usdText(highest_usd)} USD`].filter(
    Boolean,
  );
  return `Your bounds are ${bounds.join(" ")}.`;
}
