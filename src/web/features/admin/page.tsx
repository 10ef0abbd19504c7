import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { texts } from "#domain/texts/texts";
import { useReportedError } from "../../platform/query/reported-error.ts";
import { useTitle } from "../../platform/site.ts";
import { Tabs } from "../../ui/tabs.tsx";
import { AuditTab } from "./audit/audit-tab.tsx";
import { LeaveGuard } from "./editing/leave-guard.tsx";
import { AdminFrame } from "./frame.tsx";
import { LiveTab } from "./live/live-tab.tsx";
import { NewsTab } from "./news/news-tab.tsx";
import { Notices, useAreNoticesRead } from "./notices.tsx";
import { OverviewTab } from "./overview/overview-tab.tsx";
import { PaymentsTab } from "./payments/payments-tab.tsx";
import { PaymentsLabel } from "./payments/tab-label.tsx";
import { ReportedError } from "./reported-error.tsx";
import { SettingsTab } from "./settings/settings-tab.tsx";
import { UsersTab } from "./users/users-tab.tsx";
import { VideosTab } from "./videos/videos-tab.tsx";

/** ADMIN-1. Lists have their filters in the address, so they need not be kept; forms and uploads do. */
const tabs = [
  { value: "overview", label: "Overview", panel: <OverviewTab /> },
  { value: "users", label: texts.admin.users, panel: <UsersTab /> },
  { value: "payments", label: <PaymentsLabel />, panel: <PaymentsTab /> },
  { value: "videos", label: texts.admin.videos, panel: <VideosTab />, isKept: true },
  { value: "settings", label: texts.admin.settings, panel: <SettingsTab />, isKept: true },
  { value: "live", label: "Live", panel: <LiveTab />, isKept: true },
  { value: "news", label: "News", panel: <NewsTab />, isKept: true },
  { value: "audit", label: "Audit", panel: <AuditTab /> },
];

export function AdminPage(): ReactNode {
  const [params, setParams] = useSearchParams();
  const current = tabs.find(({ value }) => value === params.get("tab"))?.value ?? "overview";
  const error = useReportedError();
  const areNoticesRead = useAreNoticesRead();
  useTitle("Admin");

  // A step of the history, so that Back returns to the tab; flushed, so that the focused tab is selected at once.
  const goTo = (tab: string): void => setParams({ tab }, { preventScrollReset: true, flushSync: true });
  return (
    <LeaveGuard>
      <AdminFrame>
        <h1 className="sr-only">Administration</h1>
        <div className="grid grid-cols-1 gap-6">
          <ReportedError error={error} />
          <Notices tab={current} onOpenSettings={() => goTo("settings")} />
          <div className={areNoticesRead ? undefined : "invisible"}>
            <Tabs label="Administration" value={current} onChange={goTo} items={tabs} />
          </div>
        </div>
      </AdminFrame>
    </LeaveGuard>
  );
}
