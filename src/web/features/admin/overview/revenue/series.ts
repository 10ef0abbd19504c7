import type { DayRevenue, Stats } from "#domain/api/overview";
import { canonical, decimal } from "#domain/money";
import { packages } from "#domain/packages";
import { nothingToPay } from "#domain/payments/transfer";
import { cryptoTypes, paymentMethod } from "#domain/payment-methods/methods";

/** By what the bars are divided. */
export type Division = "method" | "package";

export interface Series {
  key: string;
  name: string;
}

export interface RevenueDay {
  /** `2026-11-24`, UTC. */
  day: string;
  approved: number;
  usd: string;
  /** USD of each series that the day has. */
  parts: Record<string, string>;
}

const seriesOf: Record<Division, Series[]> = {
  method: [...cryptoTypes.map((key) => ({ key, name: paymentMethod(key).name })), { key: "none", name: nothingToPay }],
  package: Object.entries(packages).map(([key, { name }]) => ({ key, name })),
};

const keyOf = (division: Division, { crypto_type, package_type }: DayRevenue): string =>
  division === "package" ? package_type : (crypto_type ?? "none");

/** Returns every day of the window, also those without an approval, and the series that occur in it. */
export function revenueByDay({ from, to, revenue }: Stats, division: Division): { days: RevenueDay[]; series: Series[] } {
  const days = daysBetween(from, to).map((day) =>
    sumDay(
      day,
      revenue.filter((row) => row.day === day),
      division,
    ),
  );
  const series = seriesOf[division].filter(({ key }) =>
    days.some(({ parts }) => parts[key] !== undefined && parts[key] !== "0"),
  );
  return { days, series };
}

function sumDay(day: string, rows: DayRevenue[], division: Division): RevenueDay {
  const parts: Record<string, string> = {};
  for (const row of rows) {
    const key = keyOf(division, row);
    parts[key] = canonical(decimal(parts[key] ?? "0").plus(row.amount_usd));
  }
  return { day, approved: rows.reduce((sum, { approved }) => sum + approved, 0), usd: total(Object.values(parts)), parts };
}

/** Returns the sum of USD amounts. */
export const total = (amounts: string[]): string => canonical(amounts.reduce((sum, amount) => sum.plus(amount), decimal("0")));

function daysBetween(first: string, last: string): string[] {
  const days: string[] = [];
  for (let time = Date.parse(first); time <= Date.parse(last); time += 24 * 3600 * 1000) {
    days.push(new Date(time).toISOString().slice(0, 10));
  }
  return days;
}

/** Returns the end of an axis, in USD: 1, 2 or 5 times a power of ten, and at least the highest value. */
export function axisEnd(highest: number): number {
  if (highest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  return [1, 2, 5, 10].map((step) => step * power).find((end) => end >= highest)!;
}
