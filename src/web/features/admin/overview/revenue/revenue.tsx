import { useState, type ReactNode } from "react";
import type { Stats } from "#domain/api/overview";
import { day as dayText, usd } from "../../../../platform/format.ts";
import { DataTable, type Column } from "../../../../ui/data-table.tsx";
import { Empty, Panel, PanelTitle } from "../../../../ui/panel.tsx";
import { BarChart } from "./bar-chart.tsx";
import { revenueByDay, type Division, type RevenueDay, type Series } from "./series.ts";

const divisions: { value: Division; label: string }[] = [
  { value: "method", label: "Method" },
  { value: "package", label: "Package" },
];

/** Revenue by day (UTC), as bars and as a table (STATS-3). */
export function Revenue({ stats }: { stats: Stats }): ReactNode {
  const [division, setDivision] = useState<Division>("method");
  const { days, series } = revenueByDay(stats, division);
  const label = `Revenue by day and ${division}`;
  return (
    <Panel aria-labelledby="revenue">
      <PanelTitle id="revenue" aside={series.length > 0 && <DivisionChoice value={division} onChange={setDivision} />}>
        Revenue by day
      </PanelTitle>
      {series.length === 0 ? (
        <Empty title={`No revenue in these ${days.length} days`}>
          An approved payment appears here on the day of its approval.
        </Empty>
      ) : (
        <>
          <BarChart label={label} days={days} series={series} />
          <details className="mt-4">
            <summary className="inline-flex min-h-11 items-center text-small text-action underline-offset-4 hover:underline">
              As a table
            </summary>
            <RevenueTable caption={`${label}, newest first`} days={days} series={series} />
          </details>
        </>
      )}
      <p className="mt-3 text-small text-muted">Prices due of approved payments, by the day of the approval in UTC.</p>
    </Panel>
  );
}

function DivisionChoice({ value, onChange }: { value: Division; onChange: (division: Division) => void }): ReactNode {
  return (
    <fieldset className="flex gap-x-4 text-small">
      <legend className="sr-only">Divide by</legend>
      {divisions.map((division) => (
        <label key={division.value} className="inline-flex min-h-11 items-center gap-2">
          <input
            type="radio"
            name="division"
            className="size-5 rounded-full"
            checked={division.value === value}
            onChange={() => onChange(division.value)}
          />
          {division.label}
        </label>
      ))}
    </fieldset>
  );
}

// Noon, so that the day is the same in nearly every time zone.
const dayColumn: Column<RevenueDay> = { name: "Day", isHeader: true, cell: ({ day }) => dayText(`${day}T12:00:00Z`) };
const approvedColumn: Column<RevenueDay> = { name: "Approved", isFigure: true, cell: ({ approved }) => approved };
const totalColumn: Column<RevenueDay> = { name: "Total", isFigure: true, cell: ({ usd: amount }) => usd(amount) };
const columnOf = ({ key, name }: Series): Column<RevenueDay> => ({
  name,
  isFigure: true,
  cell: ({ parts }) => usd(parts[key] ?? "0"),
});

function RevenueTable({ caption, days, series }: { caption: string; days: RevenueDay[]; series: Series[] }): ReactNode {
  const columns = [dayColumn, approvedColumn, ...series.map(columnOf), totalColumn];
  const rows = days.filter(({ approved }) => approved > 0).toReversed();
  return <DataTable caption={caption} columns={columns} rows={rows} keyOf={({ day }) => day} />;
}
