import type { ReactNode } from "react";
import { priceFieldOf } from "#domain/payment-methods/settings";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Panel, PanelTitle } from "../../../ui/panel.tsx";
import { useMailFailures } from "../mail-failures/queries.ts";
import { ageText } from "../settings/prices/price-texts.ts";
import { useCoinPrices } from "../settings/prices/queries.ts";

/** What goes wrong unnoticed: how old the prices are, and mails that were not sent. */
export function Health(): ReactNode {
  const prices = useCoinPrices().data?.items ?? [];
  const mails = useMailFailures().data;
  return (
    <Panel aria-labelledby="health">
      <PanelTitle id="health">Health</PanelTitle>
      <Facts>
        {prices.map((price) => (
          <Fact key={price.coin} name={`${priceFieldOf(price.coin).coinName} price`}>
            {ageText(price)}
          </Fact>
        ))}
        {mails && (
          <Fact name="Mails that failed">
            {mails.items.length}
            {mails.next_cursor !== null && " or more"}
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}
