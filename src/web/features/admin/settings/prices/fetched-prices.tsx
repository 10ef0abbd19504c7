import type { ReactNode } from "react";
import type { FetchedPrice } from "#domain/api/payments/coin-prices";
import { priceFieldOf } from "#domain/payment-methods/settings";
import { usd } from "../../../../platform/format.ts";
import { ActionError } from "../../../../ui/action-error.tsx";
import { Button } from "../../../../ui/button.tsx";
import { changeText } from "./price-texts.ts";
import { useSetPrice } from "./queries.ts";

const keptTexts = {
  no_public_price: "The price service has no price now. Nothing was changed.",
  out_of_bounds: "Not saved: outside of your bounds.",
  large_step: "Not saved yet: more than 20% away. Compare it with another source first.",
};

/** What became of each fetched price, before and after. An unusual one waits for a second click (PRICE-3). */
export function FetchedPrices({ items }: { items: FetchedPrice[] }): ReactNode {
  return (
    <div role="status">
      <ul className="grid gap-3 text-small">
        {items.map((item) => (
          <Fetched key={item.coin} item={item} />
        ))}
      </ul>
    </div>
  );
}

function Fetched({ item: { coin, before_usd, public_usd, kept } }: { item: FetchedPrice }): ReactNode {
  const { coinName } = priceFieldOf(coin);
  const save = useSetPrice(coin);
  const isSaved = kept === null || save.isSuccess;
  return (
    <li className="grid gap-1">
      <p className="figures">
        <span className="font-medium">{coinName}</span> {usd(before_usd)}
        {public_usd !== null && ` → ${usd(public_usd)} (${changeText(before_usd, public_usd)})`}
      </p>
      <p className={isSaved ? "text-gain" : "text-muted"}>{isSaved ? "Saved." : keptTexts[kept]}</p>
      {kept === "large_step" && public_usd !== null && !isSaved && (
        <Button
          variant="secondary"
          size="small"
          className="w-fit"
          isBusy={save.isPending}
          onClick={() => save.mutate(public_usd)}
        >
          {`Save ${usd(public_usd)} for ${coinName}`}
        </Button>
      )}
      <ActionError error={save.error} />
    </li>
  );
}
