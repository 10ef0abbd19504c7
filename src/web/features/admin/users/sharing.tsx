import type { ReactNode } from "react";
import { Link } from "react-router";
import type { SharedAccount } from "#domain/api/course/playback";
import { sharingDays, type SharingSign } from "#domain/playback/sharing";
import { calendarDay } from "../../../platform/format.ts";
import { Badge } from "../../../ui/badge.tsx";
import { DataTable, type Column } from "../../../ui/data-table.tsx";
import { Panel, PanelTitle } from "../../../ui/panel.tsx";
import { EmailAddress } from "../email-address.tsx";
import { EmptyLoadError } from "../empty-load-error.tsx";
import { ShowMore } from "../show-more.tsx";
import { useSharing } from "./queries.ts";

const columns: Column<SharedAccount>[] = [
  {
    name: "Student",
    isHeader: true,
    cell: ({ user_id, full_name, email }) => (
      <>
        <Link
          to={`/admin/users/${user_id}`}
          className="inline-flex min-h-9 items-center rounded-control font-medium text-action underline-offset-4 wrap-anywhere hover:underline"
        >
          {full_name}
        </Link>
        <span className="block text-small wrap-anywhere text-muted">
          <EmailAddress email={email} />
        </span>
      </>
    ),
  },
  { name: "Networks", isFigure: true, cell: (account) => <Count of="networks" account={account} /> },
  { name: "Devices", isFigure: true, cell: (account) => <Count of="devices" account={account} /> },
  { name: "Takeovers", isFigure: true, cell: (account) => <Count of="displaced" account={account} /> },
  {
    name: "Last played",
    cell: ({ last_played_on }) => (
      <time dateTime={last_played_on} className="whitespace-nowrap">
        {calendarDay(last_played_on)}
      </time>
    ),
  },
];

/** Students whose playing looks shared (DEVICE-5). Renders nothing while nobody's does. */
export function Sharing(): ReactNode {
  const sharing = useSharing();
  if (sharing.isLoadingError) return <EmptyLoadError what="list of unusual sharing" retry={() => void sharing.refetch()} />;
  const rows = sharing.data ?? [];
  if (rows.length === 0) return null;
  return (
    <Panel aria-labelledby="sharing" className="mb-6">
      <PanelTitle id="sharing">Unusual sharing</PanelTitle>
      <p className="mb-4 max-w-prose text-small text-muted">
        In the last {sharingDays} days these students played from more networks or on more devices than one person usually does,
        or one of their devices often took over from another. It can still be one person: phones change networks, and a browser
        whose cookies are cleared counts as a new device. Ask before you act.
      </p>
      <DataTable
        caption="Unusual sharing, the most unusual first"
        columns={columns}
        rows={rows}
        keyOf={({ user_id }) => user_id}
      />
      <ShowMore list={sharing} />
    </Panel>
  );
}

function Count({ of, account }: { of: SharingSign; account: SharedAccount }): ReactNode {
  const count = account[of];
  if (!account.signs.includes(of)) return count;
  return (
    <Badge tone="caution">
      {count}
      <span className="sr-only"> (unusual)</span>
    </Badge>
  );
}
