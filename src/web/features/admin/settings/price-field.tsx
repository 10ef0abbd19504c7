import type { ComponentProps, ReactNode } from "react";
import { settingsFields, type PriceName } from "#domain/payment-methods/settings";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { ageText } from "./prices/price-texts.ts";
import { useCoinPrices } from "./prices/queries.ts";
import { useFetchPrice } from "./queries.ts";

interface PriceFieldProps extends Omit<ComponentProps<typeof TextField>, "label"> {
  of: PriceName;
  onPrice: (usd: string) => void;
}

/** A price, typed or fetched from the public price service. */
export function PriceField({ of: name, onPrice, ...rest }: PriceFieldProps): ReactNode {
  const { label, coinName } = settingsFields[name];
  const { mutate, isPending } = useFetchPrice(name);
  const price = useCoinPrices().data?.items.find(({ coin }) => coin === settingsFields[name].coin);
  return (
    <div className="grid gap-2">
      <TextField
        label={label}
        type="number"
        step="0.01"
        min="0.01"
        inputMode="decimal"
        required
        className="figures"
        hint={price && `${ageText(price)}.`}
        {...rest}
      />
      <Button
        variant="secondary"
        size="small"
        className="w-fit"
        isBusy={isPending}
        onClick={() => mutate(undefined, { onSuccess: ({ usd }) => onPrice(usd) })}
      >
        {`Fetch ${coinName} price`}
      </Button>
    </div>
  );
}
