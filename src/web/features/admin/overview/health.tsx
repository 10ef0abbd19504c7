import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Stats } from "#domain/api/overview";
import { priceFieldOf } from "#domain/payment-methods/settings";
import { fileSize } from "../../../platform/format.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Panel, PanelTitle } from "../../../ui/panel.tsx";
import { ageText, sinceText } from "../settings/prices/price-texts.ts";
import { useCoinPrices } from "../settings/prices/queries.ts";

/** What goes wrong unnoticed: old prices, mails and webhooks that were not sent, the room on the disk, the backups (STATS-7, BACKUP-6, WEBHOOK-5). */
export function Health({ stats: { mails, webhooks, disk, backups } }: { stats: Stats }): ReactNode {
  const prices = useCoinPrices().data?.items ?? [];
  return (
    <Panel aria-labelledby="health">
      <PanelTitle id="health">Health</PanelTitle>
      <Facts>
        {prices.map((price) => (
          <Fact key={price.coin} name={`${priceFieldOf(price.coin).coinName} price`}>
            <Marked isMarked={price.warnings.length > 0} to="/admin?tab=settings" what={priceFieldOf(price.coin).coinName}>
              {ageText(price)}
            </Marked>
          </Fact>
        ))}
        <Fact name="Mails that failed">
          <Marked isMarked={mails.failed > 0}>{mails.failed}</Marked>
        </Fact>
        {mails.waiting > 0 && (
          <Fact name="Mails that wait for the mail server">
            <Marked isMarked>{mails.waiting}</Marked>
          </Fact>
        )}
        {webhooks && (
          <Fact name="Webhooks that failed">
            <Marked isMarked={webhooks.failed > 0}>{webhooks.failed}</Marked>
          </Fact>
        )}
        {webhooks && webhooks.waiting > 0 && (
          <Fact name="Webhooks that wait for their receiver">
            <Marked isMarked>{webhooks.waiting}</Marked>
          </Fact>
        )}
        {disk && (
          <Fact name="Room for uploads">
            <Marked isMarked={disk.is_low}>
              {fileSize(disk.free_bytes)} of {fileSize(disk.total_bytes)}
            </Marked>
          </Fact>
        )}
        <Fact name="Last good backup">
          <Backups backups={backups} />
        </Fact>
      </Facts>
      {backups?.problem != null && (
        <p className="mt-4 text-small wrap-anywhere text-muted">
          Failed backups since the last good one: {backups.failures}. Why the last of them failed: {backups.problem}
        </p>
      )}
      {backups !== null && backups.lost_files > 0 && (
        <p className="mt-4 text-small text-muted">
          Stored files that the last backup does not have whole: {backups.lost_files}. Older backups that may have them are
          kept.
        </p>
      )}
    </Panel>
  );
}

function Backups({ backups }: Pick<Stats, "backups">): ReactNode {
  if (backups === null) return "None is scheduled";
  const { last_good_at, failures, lost_files, is_overdue } = backups;
  const isMarked = failures > 0 || lost_files > 0 || is_overdue;
  return <Marked isMarked={isMarked}>{last_good_at === null ? "None yet" : sinceText(last_good_at)}</Marked>;
}

interface MarkedProps {
  isMarked: boolean;
  /** Where it is mended, and what is. */
  to?: string;
  what?: string;
  children: ReactNode;
}

/** Marks what needs a look, in words too. */
function Marked({ isMarked, to, what, children }: MarkedProps): ReactNode {
  if (!isMarked) return children;
  const badge = <Badge tone="caution">Look</Badge>;
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-2">
      {children}
      {to === undefined ? (
        badge
      ) : (
        <Link to={to} aria-label={`Look at the price of ${what}`} className="rounded-control hover:underline">
          {badge}
        </Link>
      )}
    </span>
  );
}
