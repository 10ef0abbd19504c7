import type { ReactNode } from "react";
import { PriceBoundsForm, type CoinPrice } from "#domain/api/payments/coin-prices";
import { priceFieldOf } from "#domain/payment-methods/settings";
import { api } from "../../../../platform/api.ts";
import { useForm } from "../../../../platform/form.ts";
import { queryClient } from "../../../../platform/query/query-client.ts";
import { Button } from "../../../../ui/button.tsx";
import { TextField } from "../../../../ui/field.tsx";
import { FormError } from "../../../../ui/form-error.tsx";
import { useFollowed } from "../use-followed.ts";
import { coinPricesOptions } from "./queries.ts";

/** Between which prices a coin's public one is taken; empty is no bound (PRICE-4). */
export function BoundsForm({ price }: { price: CoinPrice }): ReactNode {
  const { coin } = price;
  const { coinName } = priceFieldOf(coin);
  const form = useForm({
    initial: boundsOf(price),
    schema: PriceBoundsForm,
    mutationFn: (body) => api.coinPrices.setBounds({ params: { coin }, body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: coinPricesOptions.queryKey }),
    onDone: (stored) => form.replaceValues(boundsOf(stored)),
  });
  useFollowed(boundsOf(price), form);
  const field = { type: "number", step: "0.01", min: "0.01", inputMode: "decimal", className: "figures" } as const;
  return (
    <form className="grid gap-3" aria-label={`Bounds of the ${coinName} price`} onSubmit={form.onSubmit} noValidate>
      <p className="text-small text-muted">A fetched price outside of these is not taken. Empty is no bound.</p>
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField label="Lowest (USD)" {...field} {...form.field("lowest_usd")} />
        <TextField label="Highest (USD)" {...field} {...form.field("highest_usd")} />
      </div>
      <FormError form={form} />
      <div className="flex flex-wrap items-center gap-4">
        <Button
          type="submit"
          variant="secondary"
          size="small"
          disabled={form.isPending}
          aria-label={`Save the bounds of the ${coinName} price`}
        >
          Save bounds
        </Button>
        <p role="status" className="text-small text-gain">
          {form.result ? "Saved." : ""}
        </p>
      </div>
    </form>
  );
}

function boundsOf({ lowest_usd, highest_usd }: CoinPrice): PriceBoundsForm {
  return { lowest_usd: lowest_usd ?? "", highest_usd: highest_usd ?? "" };
}
