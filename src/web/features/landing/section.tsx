import type { ReactNode } from "react";
import { cx } from "../../ui/cx.ts";
import { pageWidth } from "../../ui/page.tsx";

interface SectionProps {
  id: string;
  title: string;
  lead: ReactNode;
  children: ReactNode;
}

/** A chapter of the landing page. */
export function Section({ id, title, lead, children }: SectionProps): ReactNode {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="border-t border-line">
      <div className={cx(pageWidth, "py-16 lg:py-24")}>
        <div className="grid gap-x-12 gap-y-3 lg:grid-cols-[1.02fr_1fr] lg:items-end">
          <h2 id={`${id}-title`} className="text-heading">
            {title}
          </h2>
          <p className="measure text-muted">{lead}</p>
        </div>
        <div className="mt-10 lg:mt-14">{children}</div>
      </div>
    </section>
  );
}
