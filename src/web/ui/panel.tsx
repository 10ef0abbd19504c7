import type { ComponentProps, ReactNode } from "react";
import { cx } from "./cx.ts";

/** A sheet of paper on the desk: one subject, one border. */
export function Panel({ className, ...rest }: ComponentProps<"section">): ReactNode {
  return <section className={cx("rounded-panel border border-line bg-surface p-5 sm:p-6", className)} {...rest} />;
}

/** `id` is for a panel that is named by its title. */
export function PanelTitle({ id, children, aside }: { id?: string; children: ReactNode; aside?: ReactNode }): ReactNode {
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
      <h2 id={id} className="text-title">
        {children}
      </h2>
      {aside}
    </div>
  );
}

/** Where a list would be, were there anything in it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }): ReactNode {
  return (
    <div className="rounded-panel border border-dashed border-line px-6 py-10 text-center">
      <p className="font-medium">{title}</p>
      {children !== undefined && <div className="mt-1 text-small text-muted">{children}</div>}
    </div>
  );
}
