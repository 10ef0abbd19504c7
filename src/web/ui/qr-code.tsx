import { useMemo, type ReactNode } from "react";
import { encode } from "uqr";
import { cx } from "./cx.ts";

/** Modules of white around the code (ISO/IEC 18004: four). */
export const quietZone = 4;

interface QrCodeProps {
  text: string;
  /** Says what the code is, for those who do not see it. */
  label: string;
  className?: string;
}

/** A QR code, dark on white in either theme: many readers do not know it inverted. */
export function QrCode({ text, label, className }: QrCodeProps): ReactNode {
  const { size, path } = useMemo(() => draw(text), [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className={cx("block rounded-control", className)}
    >
      <title>{label}</title>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** One path for all dark modules, a run of them at a time. */
function draw(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: "M", border: quietZone });
  const runs = data.flatMap((row, y) => {
    const line = row.map((isDark) => (isDark ? "1" : "0")).join("");
    return Array.from(line.matchAll(/1+/g), ({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`);
  });
  return { size, path: runs.join("") };
}
