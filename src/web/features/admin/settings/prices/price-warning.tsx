import type { ReactNode } from "react";
import { priceFieldOf } from "#domain/payment-methods/settings";
import { Banner } from "../../../../ui/banner.tsx";
import { Button } from "../../../../ui/button.tsx";
import { shortWarning } from "./price-texts.ts";
import { useCoinPrices } from "./queries.ts";

/** One line about the prices that need a look, leading to the settings (PRICE-2). Renders nothing while none does. */
export function PriceWarning({ onOpen }: { onOpen: () => void }): ReactNode {
  const items = useCoinPrices().data?.items ?? [];
  const lines = items.flatMap((price) => {
    const [first] = price.warnings;
    return first === undefined ? [] : [`${priceFieldOf(price.coin).coinName} price: ${shortWarning(first, price)}`];
  });
  if (lines.length === 0) return null;
  return (
    <section aria-label="Coin prices to look at">
      <Banner tone="caution" isCompact isAnnounced={false}>
        <div className="flex items-center justify-between gap-x-3">
          <p className="figures min-w-0 max-sm:truncate">{lines.join(". ")}.</p>
          <Button variant="link" size="small" className="-mx-3 shrink-0" onClick={onOpen}>
            Review prices
          </Button>
        </div>
      </Banner>
    </section>
  );
}
