import { useState, type ReactNode } from "react";
import { useSearchParams } from "react-router";
import { texts } from "#domain/texts/texts";
import { AccountActions } from "../../entities/session/account-actions.tsx";
import { useReportedError } from "../../platform/query/reported-error.ts";
import { useTitle } from "../../platform/site.ts";
import { Badge } from "../../ui/badge.tsx";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { PageLoading } from "../../ui/spinner.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { LiveTab } from "./live/live-tab.tsx";
import { MailFailures } from "./mail-failures/mail-failures.tsx";
import { NewsTab } from "./news/news-tab.tsx";
import { PaymentsTab } from "./payments/payments-tab.tsx";
import { usePaymentRequests } from "./payments/queries.ts";
import { ChangesNotice } from "./settings/guard/changes-notice.tsx";
import { PriceWarning } from "./settings/prices/price-warning.tsx";
import { ReportedError } from "./reported-error.tsx";
import { SettingsTab } from "./settings/settings-tab.tsx";
import { useUsers } from "./users/queries.ts";
import { UsersTab } from "./users/users-tab.tsx";
import { VideosTab } from "./videos/videos-tab.tsx";

/** ADMIN-1: the specified four first. */
const tabs = ["users", "payments", "videos", "settings", "live", "news"] as const;

export function AdminPage(): ReactNode {
  const [params, setParams] = useSearchParams();
  const [current, setCurrent] = useState<string>(() => tabs.find((tab) => tab === params.get("tab")) ?? "users");
  const error = useReportedError();
  const users = useUsers();
  const requests = usePaymentRequests();
  useTitle("Admin");

  // The tabs are given these queries: an observer of their own would repeat a failed one, and loading would never end.
  if (users.isPending || requests.isPending) return <PageLoading text={texts.admin.loading} />;
  // Shown at once, and kept in the address for a reload.
  const goTo = (tab: string): void => {
    setCurrent(tab);
    setParams({ tab }, { replace: true, preventScrollReset: true });
  };
  const waiting = (requests.data ?? []).filter(({ status }) => status === "pending").length;
  return (
    <Page
      wide
      title={<Badge tone="accent">{texts.admin.badge}</Badge>}
      actions={<AccountActions logout={texts.admin.logout} />}
    >
      <h1 className="sr-only">Administration</h1>
      <div className="grid grid-cols-1 gap-6">
        <ReportedError error={error} />
        {current !== "payments" && <Waiting count={waiting} hasMore={requests.hasNextPage} onReview={() => goTo("payments")} />}
        <ChangesNotice />
        <MailFailures />
        {current !== "settings" && <PriceWarning onOpen={() => goTo("settings")} />}
        <Tabs
          label="Administration"
          value={current}
          onChange={goTo}
          items={[
            { value: "users", label: texts.admin.users, panel: <UsersTab users={users} /> },
            { value: "payments", label: texts.admin.payments, panel: <PaymentsTab requests={requests} /> },
            { value: "videos", label: texts.admin.videos, panel: <VideosTab /> },
            { value: "settings", label: texts.admin.settings, panel: <SettingsTab /> },
            { value: "live", label: "Live", panel: <LiveTab /> },
            { value: "news", label: "News", panel: <NewsTab /> },
          ]}
        />
      </div>
    </Page>
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
        <Button variant="secondary" size="small" onClick={onReview}>
          Review
        </Button>
      </div>
    </Banner>
  );
}
