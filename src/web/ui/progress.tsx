import type { ReactNode } from "react";
import { cx } from "./cx.ts";

interface ProgressProps {
  label: string;
  /** From 0 to 1. */
  value: number;
}

/** A progress bar with its label and figure. */
export function Progress({ label, value }: ProgressProps): ReactNode {
  return (
    <div className="grid gap-1.5">
      <div className="flex justify-between gap-4 text-small">
        <span>{label}</span>
        <span className="figures" translate="no">
          {Math.floor(value * 100)}%
        </span>
      </div>
      <ProgressBar label={label} value={value} />
    </div>
  );
}

/** The bar alone, where its figure is nearby. */
export function ProgressBar({ label, value, className }: ProgressProps & { className?: string }): ReactNode {
  return (
    <progress
      aria-label={label}
      max={100}
      value={Math.floor(value * 100)}
      className={cx(
        "h-2 w-full appearance-none overflow-hidden rounded-control bg-raised",
        "[&::-moz-progress-bar]:bg-action [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:bg-action",
        className,
      )}
    />
  );
}
