import { useQuery } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";
import { api } from "../../platform/api.ts";
import { queryKeys } from "../../platform/query-client.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Coupons } from "./coupons.tsx";
import { NotLoaded } from "./not-loaded.tsx";
import { useReportError } from "./error-reporter.ts";
import { WalletForm } from "./wallet-form.tsx";

export function SettingsTab(): ReactNode {
  const report = useReportError();
  const settings = useQuery({
    queryKey: queryKeys.walletSettings,
    queryFn: () => api.walletSettings.get(),
    // What is being typed must not be replaced under the admin's hands.
    refetchOnWindowFocus: false,
  });
  useEffect(() => {
    if (settings.error) report(settings.error, "dashboard_load_failed");
  }, [settings.error, report]);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
      {settings.data ? (
        <WalletForm saved={settings.data} />
      ) : settings.isPending ? (
        <Skeleton className="h-128" />
      ) : (
        <NotLoaded what="settings" retry={() => void settings.refetch()} />
      )}
      <Coupons />
    </div>
  );
}
