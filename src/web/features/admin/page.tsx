import { useCallback, useState, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { ErrorCode } from "#domain/messages";
import { texts } from "#domain/texts";
import { messageOf } from "../../platform/errors.ts";
import { useLogout } from "../../platform/session.tsx";
import { useTitle } from "../../platform/site.ts";
import { Badge } from "../../ui/badge.tsx";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { PageLoading } from "../../ui/spinner.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { ErrorReporter } from "./error-reporter.ts";
import { usePaymentRequests, useUsers } from "./lists.ts";
import { PaymentsTab } from "./payments-tab.tsx";
import { SettingsTab } from "./settings-tab.tsx";
import { UsersTab } from "./users-tab.tsx";
import { VideosTab } from "./videos-tab.tsx";

const tabs = ["users", "payments", "videos", "settings"] as const;

export function AdminPage(): ReactNode {
  const [params, setParams] = useSearchParams();
  const [current, setCurrent] = useState<string>(() => tabs.find((tab) => tab === params.get("tab")) ?? "users");
  const [error, setError] = useState<string>();
  const report = useCallback((thrown: unknown, fallback: ErrorCode) => setError(messageOf(thrown, fallback)), []);
  const users = useUsers(report);
  const requests = usePaymentRequests(report);
  const logout = useLogout();
  useTitle("Admin");

  if (users.isPending || requests.isPending) return <PageLoading text={texts.admin.loading} />;
  // Shown at once, and kept in the address for a reload.
  const goTo = (tab: string): void => {
    setCurrent(tab);
    setParams({ tab }, { replace: true, preventScrollReset: true });
  };
  const waiting = requests.rows.filter(({ status }) => status === "pending").length;
  return (
    <ErrorReporter value={report}>
      <Page
        wide
        title={<Badge tone="accent">{texts.admin.badge}</Badge>}
        actions={
          <Button kind="secondary" size="small" className="min-h-11" onClick={() => void logout()}>
            {texts.admin.logout}
          </Button>
        }
      >
        <h1 className="sr-only">Administration</h1>
        <div className="grid grid-cols-1 gap-6">
          {error !== undefined && (
            <Banner tone="loss" className="sticky top-20 z-20" onClose={() => setError(undefined)}>
              {error}
            </Banner>
          )}
          {current !== "payments" && <Waiting count={waiting} hasMore={requests.hasMore} onReview={() => goTo("payments")} />}
          <Tabs
            label="Administration"
            value={current}
            onChange={goTo}
            items={[
              { value: "users", label: texts.admin.users, panel: <UsersTab users={users} /> },
              { value: "payments", label: texts.admin.payments, panel: <PaymentsTab requests={requests} /> },
              { value: "videos", label: texts.admin.videos, panel: <VideosTab /> },
              { value: "settings", label: texts.admin.settings, panel: <SettingsTab /> },
            ]}
          />
        </div>
      </Page>
    </ErrorReporter>
  );
}

/** The admin's daily task, wherever they look. */
function Waiting({ count, hasMore, onReview }: { count: number; hasMore: boolean; onReview: () => void }): ReactNode {
  if (count === 0) return null;
  const what = count === 1 && !hasMore ? "1 payment request is" : `${count}${hasMore ? " or more" : ""} payment requests are`;
  return (
    <Banner tone="caution">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="figures">{what} waiting for your decision.</p>
        <Button kind="secondary" size="small" onClick={onReview}>
          Review
        </Button>
      </div>
    </Banner>
  );
}
