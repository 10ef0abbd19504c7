import type { ReactNode } from "react";
import { cx } from "./cx.ts";

export type Tone = "neutral" | "gain" | "loss" | "caution" | "accent";

const tones: Record<Tone, string> = {
  neutral: "border-line bg-raised text-ink",
  gain: "border-gain/40 bg-gain-soft text-gain",
  loss: "border-loss/40 bg-loss-soft text-loss",
  caution: "border-caution/40 bg-caution-soft text-caution",
  accent: "border-action bg-transparent text-action",
};

interface BadgeProps {
  tone?: Tone;
  /** Whether its text may be long, and take several lines. */
  wraps?: boolean;
  className?: string;
  children: ReactNode;
}

export function Badge({ tone = "neutral", wraps = false, className, children }: BadgeProps): ReactNode {
  return (
    <span
      data-tone={tone}
      className={cx(
        "inline-flex items-center gap-1.5 rounded-control border px-2 py-0.5 text-small font-medium",
        wraps ? "min-w-0 wrap-anywhere" : "whitespace-nowrap",
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}
