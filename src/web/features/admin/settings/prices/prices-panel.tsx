import { useState, type ReactNode } from "react";
import type { CoinPrice } from "#domain/api/payments/coin-prices";
import { priceFieldOf } from "#domain/payment-methods/settings";
import { roughly, usd } from "../../../../platform/format.ts";
import { ActionError } from "../../../../ui/action-error.tsx";
import { Banner } from "../../../../ui/banner.tsx";
import { Button } from "../../../../ui/button.tsx";
import { Panel, PanelTitle } from "../../../../ui/panel.tsx";
import { Skeleton } from "../../../../ui/skeleton.tsx";
import { EmptyLoadError } from "../../empty-load-error.tsx";
import { BoundsForm } from "./bounds-form.tsx";
import { FetchedPrices } from "./fetched-prices.tsx";
import { ageText, longWarning, sinceText } from "./price-texts.ts";
import { useCoinPrices, useFetchPrices, useSetPrice } from "./queries.ts";

/** The coins' prices with their age, what needs a look, and one button that fetches both (PRICE-1 to PRICE-4). */
export function PricesPanel(): ReactNode {
  const prices = useCoinPrices();
  const fetchBoth = useFetchPrices();
  if (!prices.data) {
    if (prices.isPending) return <Skeleton className="h-64" />;
    return <EmptyLoadError what="coin prices" retry={() => void prices.refetch()} />;
  }
  const { items, refresh_seconds: refreshSeconds } = prices.data;
  return (
    <Panel aria-labelledby="coin-prices">
      <PanelTitle id="coin-prices">Coin prices</PanelTitle>
      <div className="grid gap-5">
        <p className="text-small text-muted">
          {refreshSeconds > 0
            ? `Both are refreshed every ${roughly(refreshSeconds)}, within your bounds and at most 20% in a step.`
            : "Prices stay as they are until you change them. PRICE_REFRESH keeps them fresh."}
        </p>
        <Button className="w-fit" isBusy={fetchBoth.isPending} onClick={() => fetchBoth.mutate(undefined)}>
          Fetch and save both prices
        </Button>
        <ActionError error={fetchBoth.error} />
        {fetchBoth.data && <FetchedPrices key={fetchBoth.submittedAt} items={fetchBoth.data.items} />}
        {items.map((price) => (
          <Price key={price.coin} price={price} isRefreshed={refreshSeconds > 0} />
        ))}
      </div>
    </Panel>
  );
}

function Price({ price, isRefreshed }: { price: CoinPrice; isRefreshed: boolean }): ReactNode {
  const { coin, warnings } = price;
  const { coinName } = priceFieldOf(coin);
  const confirm = useSetPrice(coin);
  const isNeverSet = warnings.includes("never_set");
  // Emptying the bounds must not close the form under the focus.
  const [startsOpen] = useState(isRefreshed || price.lowest_usd !== null || price.highest_usd !== null);
  return (
    <section aria-label={`${coinName} price`} className="grid gap-2 border-t border-line pt-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-semibold">{coinName}</h3>
        <p className="figures">{usd(price.usd)}</p>
      </div>
      <p className="text-small text-muted">{ageText(price)}</p>
      <p className="text-small text-muted">{publicText(price)}</p>
      {warnings.length > 0 && (
        <Banner tone="caution" isAnnounced={false}>
          {warnings.map((warning) => (
            <p key={warning}>{longWarning(warning, price)}</p>
          ))}
          {(isNeverSet || warnings.includes("old")) && (
            <Button
              variant="secondary"
              size="small"
              className="mt-2"
              isBusy={confirm.isPending}
              aria-label={isNeverSet ? `Use this price for ${coinName}` : `The ${coinName} price is still right`}
              onClick={() => confirm.mutate(price.usd)}
            >
              {isNeverSet ? "Use this price" : "Still right"}
            </Button>
          )}
        </Banner>
      )}
      <ActionError error={confirm.error} />
      <details open={startsOpen}>
        <summary className="w-fit cursor-pointer py-2.5 text-small text-action">Bounds of the {coinName} price</summary>
        <BoundsForm price={price} />
      </details>
    </section>
  );
}

function publicText({ public_usd, public_at, public_failed }: CoinPrice): string {
  const failed = public_failed ? "The price service does not reply." : "";
  if (public_usd === null || public_at === null) return failed || "No public price yet";
  return `Public price ${usd(public_usd)}, ${sinceText(public_at)}. ${failed}`.trim();
}
