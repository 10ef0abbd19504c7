import { X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "./button.tsx";
import { ContactLine } from "./contact-line.tsx";
import { cx } from "./cx.ts";

export type BannerTone = "info" | "gain" | "loss" | "caution";

const tones: Record<BannerTone, string> = {
  info: "border-line border-l-action bg-surface",
  gain: "border-line border-l-gain bg-gain-soft",
  loss: "border-line border-l-loss bg-loss-soft",
  caution: "border-line border-l-caution bg-caution-soft",
};

interface BannerProps {
  /** For the field that it speaks of. */
  id?: string;
  tone?: BannerTone;
  title?: ReactNode;
  children?: ReactNode;
  /** Without it the banner cannot be closed. */
  onClose?: (() => void) | undefined;
  /** False inside a region that is announced itself, and for what was there from the beginning. */
  isAnnounced?: boolean;
  /** For errors that the user cannot fix: displays the contacts. */
  offersHelp?: boolean;
  /** For a message of one line. */
  isCompact?: boolean;
  className?: string;
}

/** A message across the page or a panel. A loss is announced at once, the rest when there is a pause. */
export function Banner(props: BannerProps): ReactNode {
  const { id, tone = "info", title, children, onClose, isAnnounced = true, offersHelp, isCompact, className } = props;
  return (
    <div
      id={id}
      role={isAnnounced ? (tone === "loss" ? "alert" : "status") : undefined}
      className={cx("flex items-start gap-2 rounded-control border border-l-4", tones[tone], className)}
    >
      <div className={cx("min-w-0 grow px-4 text-small", isCompact ? "py-0.5" : "py-3")}>
        {title !== undefined && <p className="font-semibold">{title}</p>}
        <div>{children}</div>
        {offersHelp && <ContactLine className="mt-1">If this goes on, write to</ContactLine>}
      </div>
      {onClose && (
        <IconButton label="Dismiss" onClick={onClose}>
          <X aria-hidden className="size-4.5" />
        </IconButton>
      )}
    </div>
  );
}
