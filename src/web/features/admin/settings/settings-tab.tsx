import type { ReactNode } from "react";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { Coupons } from "../coupons/coupons.tsx";
import { NotLoaded } from "../not-loaded.tsx";
import { VoidQuotes } from "./guard/void-quotes.tsx";
import { PricesPanel } from "./prices/prices-panel.tsx";
import { useWalletSettings } from "./queries.ts";
import { WalletForm } from "./wallet-form.tsx";

export function SettingsTab(): ReactNode {
  const settings = useWalletSettings();
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
      {settings.data ? (
        <WalletForm saved={settings.data} />
      ) : settings.isPending ? (
        <Skeleton className="h-128" />
      ) : (
        <NotLoaded what="settings" retry={() => void settings.refetch()} />
      )}
      <div className="grid gap-6">
        <PricesPanel />
        <VoidQuotes />
        <Coupons />
      </div>
    </div>
  );
}
