import type { ReactNode } from "react";
import { useApprovalSeconds } from "../../../entities/payment-request/queries.ts";
import { roughly } from "../../../platform/format.ts";
import { NotLoaded } from "../not-loaded.tsx";
import { pendingAddress, usePendingCount } from "../payments/queries.ts";
import { TabLoading } from "../tab-loading.tsx";
import { Figure } from "./figure.tsx";
import { Health } from "./health.tsx";

/** The state of the shop at a glance. */
export function OverviewTab(): ReactNode {
  const pending = usePendingCount();
  const approvalSeconds = useApprovalSeconds();
  if (pending.isPending) return <TabLoading />;
  if (pending.isLoadingError) return <NotLoaded what="overview" retry={() => void pending.refetch()} />;
  const { count, hasMore } = pending.data;
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <Figure
        name="Waiting for your decision"
        value={`${count}${hasMore ? " or more" : ""}`}
        {...(count > 0 && { to: pendingAddress })}
      >
        {count === 0 ? "No payment request waits." : undefined}
      </Figure>
      <Figure name="Typical approval time" value={approvalSeconds === undefined ? "–" : roughly(approvalSeconds)}>
        {approvalSeconds === undefined ? "Known after five approvals." : "Median of the newest approvals"}
      </Figure>
      <Health />
    </div>
  );
}
