import type { ComponentProps, ReactNode } from "react";
import { cx } from "../../ui/cx.ts";
import { Panel } from "../../ui/panel.tsx";

interface StepProps extends ComponentProps<typeof Panel> {
  number: number;
  title: string;
  /** What to do here, in one sentence or two. */
  instruction?: ReactNode;
}

/** One of the three steps of a payment: what and how, pay, proof. */
export function Step({ number, title, instruction, className, children, ...rest }: StepProps): ReactNode {
  return (
    <Panel {...rest} className={cx("xl:p-5", className)}>
      <div className="mb-3">
        <div className="flex items-center gap-3">
          <span
            aria-hidden
            className="figures grid size-7 shrink-0 place-items-center rounded-full border border-action text-small font-semibold text-action"
          >
            {number}
          </span>
          <h2 className="text-lead">{title}</h2>
        </div>
        {instruction !== undefined && <p className="mt-1.5 text-small text-muted">{instruction}</p>}
      </div>
      {children}
    </Panel>
  );
}
