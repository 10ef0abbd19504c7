import type { ComponentProps, ReactNode } from "react";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { useFetchPrice, type Coin } from "./queries.ts";

interface PriceFieldProps extends ComponentProps<typeof TextField> {
  coin: Coin;
  onPrice: (usd: string) => void;
}

/** A price, typed or fetched from the public price service. */
export function PriceField({ coin, onPrice, ...rest }: PriceFieldProps): ReactNode {
  const { mutate, isPending } = useFetchPrice(coin);
  return (
    <div className="grid gap-2">
      <TextField type="number" step="0.01" min="0.01" inputMode="decimal" required className="figures" {...rest} />
      <Button
        variant="secondary"
        size="small"
        className="min-h-11 w-fit"
        disabled={isPending}
        onClick={() => mutate(undefined, { onSuccess: ({ usd }) => onPrice(usd) })}
      >
        {isPending && <Spinner />}
        {coin === "bitcoin" ? "Fetch Bitcoin price" : "Fetch Ethereum price"}
      </Button>
    </div>
  );
}
