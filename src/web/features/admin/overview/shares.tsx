import type { ReactNode } from "react";
import { Panel, PanelTitle } from "../../../ui/panel.tsx";

export interface Share {
  name: string;
  count: number;
}

interface SharesProps {
  id: string;
  title: string;
  shares: Share[];
  /** What is 100%; not 0. */
  whole: number;
  children?: ReactNode;
}

/** Counts with their share of a whole, as bars beside the figures. */
export function Shares({ id, title, shares, whole, children }: SharesProps): ReactNode {
  return (
    <Panel aria-labelledby={id}>
      <PanelTitle id={id}>{title}</PanelTitle>
      <dl className="grid gap-3">
        {shares.map(({ name, count }) => (
          <div key={name} className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
            <dt className="text-small text-muted">{name}</dt>
            <dd className="figures text-small">
              <span className="font-semibold">{count.toLocaleString("en-US")}</span>{" "}
              <span className="text-muted">({percent(count, whole)})</span>
            </dd>
            <dd aria-hidden className="col-span-2 h-2 overflow-hidden rounded-control bg-raised">
              <span className="block h-full bg-action" style={{ width: `${(100 * count) / whole}%` }} />
            </dd>
          </div>
        ))}
      </dl>
      {children}
    </Panel>
  );
}

/** Returns a share of a whole that is not 0, as `12%` or `0.4%`. */
export function percent(count: number, whole: number): string {
  const share = (100 * count) / whole;
  return `${share > 0 && share < 10 ? share.toFixed(1).replace(".0", "") : Math.round(share)}%`;
}
