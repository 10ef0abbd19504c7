import type { ReactNode } from "react";
import { bars } from "./bars.ts";

const width = 440;
const height = 330;
const left = 8;
const step = 10.9;
const bodyWidth = 6.2;

const y = (price: number): number => Math.round((300 - (price - 22) * 4.05) * 10) / 10;
const x = (index: number): number => Math.round((left + index * step) * 10) / 10;

interface Candle {
  x: number;
  top: number;
  bottom: number;
  high: number;
  low: number;
  isUp: boolean;
}

const candles: Candle[] = bars.map(({ open, close, high, low }, index) => ({
  x: x(index),
  top: y(Math.max(open, close)),
  bottom: y(Math.min(open, close)),
  high: y(high),
  low: y(low),
  isUp: close >= open,
}));

const wickPath = (some: Candle[]): string => some.map((c) => `M${c.x} ${c.high}V${c.top}M${c.x} ${c.bottom}V${c.low}`).join("");
const bodyPath = (some: Candle[]): string =>
  some.map((c) => `M${c.x - bodyWidth / 2} ${c.top}h${bodyWidth}V${c.bottom}h-${bodyWidth}z`).join("");

const ups = candles.filter(({ isUp }) => isUp);
const downs = candles.filter(({ isUp }) => !isUp);
const prices = [
  { at: 30, text: "1.0740" },
  { at: 45, text: "1.0790" },
  { at: 60, text: "1.0840" },
  { at: 75, text: "1.0890" },
];

/** Honest decoration, drawn like a figure in a book: it shows a lesson's setup and claims nothing. */
export function Chart(): ReactNode {
  return (
    <figure className="min-w-0">
      <svg
        role="img"
        aria-label="Candlestick sketch: price falls, breaks its last lower high, returns to the zone it rose from, and rises."
        viewBox={`0 0 ${width} ${height}`}
        className="h-auto w-full rounded-panel border border-line bg-surface"
      >
        <g className="stroke-line" strokeWidth="1">
          {prices.map(({ at }) => (
            <path key={at} d={`M0 ${y(at)}H${width - 46}`} />
          ))}
          <path d={`M${width - 46} 0V${height}`} />
        </g>
        <g className="figures fill-muted text-[11px]">
          {prices.map(({ at, text }) => (
            <text key={at} x={width - 40} y={y(at) + 4}>
              {text}
            </text>
          ))}
        </g>
        <rect x={x(15) - 5} y={y(41)} width={width - 46 - x(15) + 5} height={y(29) - y(41)} className="fill-action/15" />
        <path d={`M${x(9)} ${y(57.5)}H${x(22)}`} className="stroke-action" strokeWidth="1.25" strokeDasharray="4 3" />
        <path d={`M${x(27)} ${y(29)}V${y(41)}`} className="stroke-action" strokeWidth="1.25" fill="none" />
        <g className="fill-action text-[12px] font-semibold">
          <text x={x(10)} y={y(57.5) - 6}>
            break
          </text>
          <text x={x(27) + 7} y={y(35) + 4}>
            zone
          </text>
        </g>
        <g fill="none" strokeWidth="1.25">
          <path d={wickPath(downs)} className="stroke-muted" />
          <path d={bodyPath(downs)} className="fill-muted stroke-muted" />
          <path d={wickPath(ups)} className="stroke-gain" />
          <path d={bodyPath(ups)} className="fill-surface stroke-gain" />
        </g>
        <path d={`M${x(35)} ${y(87)}H${width - 46}`} className="stroke-gain" strokeWidth="1" strokeDasharray="2 3" />
        <rect x={width - 46} y={y(87) - 9} width="46" height="18" className="fill-gain" />
        <text x={width - 40} y={y(87) + 4} className="figures fill-ground text-[11px] font-semibold">
          1.0930
        </text>
      </svg>
      <figcaption className="mt-3 text-small text-muted">
        Fig. 1. A break of structure, the return to the zone, the move after it. Drawn for a lesson, not taken from an account.
      </figcaption>
    </figure>
  );
}
