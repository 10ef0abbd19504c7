import type { ReactNode } from "react";

/** How far something is, from 0 to 1. */
export function Progress({ label, value }: { label: string; value: number }): ReactNode {
  const percent = Math.floor(value * 100);
  return (
    <div className="grid gap-1.5">
      <div className="flex justify-between gap-4 text-small">
        <span>{label}</span>
        <span className="figures">{percent}%</span>
      </div>
      <progress
        aria-label={label}
        max={100}
        value={percent}
        className="h-2 w-full appearance-none overflow-hidden rounded-control bg-raised [&::-moz-progress-bar]:bg-action [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:bg-action"
      />
    </div>
  );
}
