import { useState, type KeyboardEvent, type PointerEvent, type ReactNode } from "react";
import type { PackageType } from "#domain/packages";
import type { CryptoType } from "#domain/payment-methods/methods";
import { calendarDay, usd } from "../../../../platform/format.ts";
import { cx } from "../../../../ui/cx.ts";
import { axisEnd, type RevenueDay, type Series } from "./series.ts";

/** Told apart by brightness and pattern too, not by colour alone. */
const fills: Record<string, string> = {
  bitcoin: "bg-action",
  ethereum: "bg-[repeating-linear-gradient(45deg,var(--color-gain)_0_3px,var(--color-gain-soft)_3px_5px)]",
  thai_bank: "bg-[repeating-linear-gradient(0deg,var(--color-muted)_0_2px,var(--color-raised)_2px_4px)]",
  starter: "bg-[repeating-linear-gradient(45deg,var(--color-gain)_0_3px,var(--color-gain-soft)_3px_5px)]",
  advanced: "bg-action",
} satisfies Record<CryptoType | PackageType, string>;

interface BarChartProps {
  label: string;
  days: RevenueDay[];
  series: Series[];
}

/**
 * A stacked bar for each day. One day is selected with the pointer or, as on a slider, with the arrow keys; its figures are displayed
 * above the bars and read out.
 */
export function BarChart({ label, days, series }: BarChartProps): ReactNode {
  const [selected, setSelected] = useState<number>();
  const end = axisEnd(Math.max(...days.map((one) => Number(one.usd))));
  const last = days.length - 1;
  const current = days[selected ?? last];
  const select = (index: number): void => setSelected(Math.min(Math.max(index, 0), last));
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = targetOf(event.key, selected ?? last, last);
    if (target === undefined) return;
    event.preventDefault();
    select(target);
  };
  const onPointer = ({ currentTarget, clientX }: PointerEvent): void => {
    const { left, width } = currentTarget.getBoundingClientRect();
    select(Math.floor(((clientX - left) / width) * days.length));
  };
  return (
    <div>
      <p className="figures min-h-12 text-small sm:min-h-6">
        {selected === undefined ? (
          <span className="text-muted">Point at a day, or step through the days with the arrow keys.</span>
        ) : (
          current && <Readout day={current} series={series} />
        )}
      </p>
      <div className="figures relative mt-4 ml-16 h-44 sm:h-56">
        <GridLine value={end} className="top-0" />
        <GridLine value={end / 2} className="top-1/2" />
        <div
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={1}
          aria-valuemax={days.length}
          aria-valuenow={(selected ?? last) + 1}
          aria-valuetext={current && textOf(current, series)}
          onKeyDown={onKeyDown}
          onPointerMove={onPointer}
          onPointerDown={onPointer}
          className="absolute inset-0 flex touch-pan-y items-end border-b border-control"
        >
          {days.map((one, index) => (
            <Bar key={one.day} day={one} series={series} end={end} isSelected={index === selected} />
          ))}
        </div>
      </div>
      <div aria-hidden className="mt-1 ml-16 flex justify-between gap-2 text-small text-muted">
        {[0, Math.floor(last / 2), last].map((index) => (
          <span key={index}>{days[index] && calendarDay(days[index].day)}</span>
        ))}
      </div>
      <ul className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-small">
        {series.map(({ key, name }) => (
          <li key={key} className="inline-flex items-center gap-2">
            <span aria-hidden className={cx("size-3 rounded-control", fills[key])} />
            {name}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Returns the day that a key leads to; undefined for other keys. */
function targetOf(key: string, current: number, last: number): number | undefined {
  switch (key) {
    case "ArrowLeft":
    case "ArrowDown":
      return current - 1;
    case "ArrowRight":
    case "ArrowUp":
      return current + 1;
    case "PageDown":
      return current - 7;
    case "PageUp":
      return current + 7;
    case "Home":
      return 0;
    case "End":
      return last;
  }
  return undefined;
}

function textOf({ day, usd: amount, approved, parts }: RevenueDay, series: Series[]): string {
  const each = series.flatMap(({ key, name }) => (parts[key] === undefined ? [] : [`${name} ${usd(parts[key])}`]));
  return [`${calendarDay(day)}: ${usd(amount)}, ${approved} approved`, ...each].join(", ");
}

function Readout({ day, series }: { day: RevenueDay; series: Series[] }): ReactNode {
  const [first = "", ...rest] = textOf(day, series).split(", ");
  return (
    <>
      <span className="font-medium">{first}</span>
      <span className="text-muted">{rest.map((part) => `, ${part}`)}</span>
    </>
  );
}

function GridLine({ value, className }: { value: number; className: string }): ReactNode {
  return (
    <div aria-hidden className={cx("absolute inset-x-0 border-t border-line", className)}>
      <span className="absolute right-full mr-2 -translate-y-1/2 text-small text-muted">{usd(String(value))}</span>
    </div>
  );
}

interface BarProps {
  day: RevenueDay;
  series: Series[];
  /** The end of the axis in USD. */
  end: number;
  isSelected: boolean;
}

function Bar({ day, series, end, isSelected }: BarProps): ReactNode {
  return (
    <span className={cx("flex h-full min-w-0 grow basis-0 flex-col-reverse px-px", isSelected && "bg-raised/70")}>
      {series.map(({ key }) => (
        <span key={key} className={fills[key]} style={{ height: `${(100 * Number(day.parts[key] ?? 0)) / end}%` }} />
      ))}
    </span>
  );
}
