import { useState, type ReactNode } from "react";
import type { Stats } from "#domain/api/overview";
import { calendarDay, usd } from "../../../../platform/format.ts";
import { Empty, Panel, PanelTitle } from "../../../../ui/panel.tsx";
import { ExportButton } from "../../exports/export-button.tsx";
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
      <div className="mt-4 flex flex-wrap gap-3">
        <ExportButton name="months" label="Totals per month (CSV)" />
        <ExportButton name="payments" label="All payments (CSV)" />
      </div>
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

/** Few figures in many rows: compact, in a region of its own height. */
function RevenueTable({ caption, days, series }: { caption: string; days: RevenueDay[]; series: Series[] }): ReactNode {
  const head = ["Approved", ...series.map(({ name }) => name), "Total"];
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by the keyboard
    <section tabIndex={0} aria-label={caption} className="relative max-h-96 overflow-auto rounded-panel border border-line">
      <table className="figures w-full text-small">
        <caption className="sr-only">{caption}</caption>
        <thead className="sticky top-0 bg-raised text-left">
          <tr>
            <th scope="col" className="px-3 py-2 font-medium">
              Day
            </th>
            {head.map((name) => (
              <th key={name} scope="col" className="px-3 py-2 text-right font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {days
            .filter(({ approved }) => approved > 0)
            .reverse()
            .map((day) => (
              <Row key={day.day} day={day} series={series} />
            ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ day: { day, approved, parts, usd: amount }, series }: { day: RevenueDay; series: Series[] }): ReactNode {
  const figures = [String(approved), ...series.map(({ key }) => usd(parts[key] ?? "0")), usd(amount)];
  return (
    <tr>
      <th scope="row" className="px-3 py-2 text-left font-normal whitespace-nowrap">
        <time dateTime={day}>{calendarDay(day)}</time>
      </th>
      {figures.map((figure, index) => (
        <td key={index} className="px-3 py-2 text-right last:font-semibold">
          {figure}
        </td>
      ))}
    </tr>
  );
}
