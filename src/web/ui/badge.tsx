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

export function Badge({
  tone = "neutral",
  className,
  children,
}: {
  tone?: Tone;
  className?: string;
  children: ReactNode;
}): ReactNode {
  return (
    <span
      data-tone={tone}
      className={cx(
        "inline-flex items-center gap-1.5 rounded-control border px-2 py-0.5 text-small font-medium whitespace-nowrap",
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}
