import { useState, type ComponentProps, type ReactNode } from "react";
import type { ErrorCode } from "#domain/messages";
import { api } from "../../platform/api.ts";
import { TextField } from "../../ui/field.tsx";
import { Button } from "../../ui/button.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { useReportError } from "./error-reporter.ts";

type Coin = "bitcoin" | "ethereum";

const failures: Record<Coin, ErrorCode> = { bitcoin: "bitcoin_price_failed", ethereum: "ethereum_price_failed" };

interface PriceFieldProps extends ComponentProps<typeof TextField> {
  coin: Coin;
  onPrice: (usd: string) => void;
}

/** A price, typed or fetched from the public price service. */
export function PriceField({ coin, onPrice, ...rest }: PriceFieldProps): ReactNode {
  const report = useReportError();
  const [isBusy, setBusy] = useState(false);
  const fetchPrice = async (): Promise<void> => {
    setBusy(true);
    try {
      const { usd } = await api.walletSettings.cryptoPrice({ params: { coin } });
      onPrice(usd);
    } catch (thrown) {
      report(thrown, failures[coin]);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="grid gap-2">
      <TextField type="number" step="0.01" min="0.01" inputMode="decimal" required className="figures" {...rest} />
      <Button kind="secondary" size="small" className="min-h-11 w-fit" disabled={isBusy} onClick={() => void fetchPrice()}>
        {isBusy && <Spinner />}
        {coin === "bitcoin" ? "Fetch Bitcoin price" : "Fetch Ethereum price"}
      </Button>
    </div>
  );
}
