import type { ReactNode } from "react";
import { siteLinks } from "../platform/site.ts";
import { cx } from "./cx.ts";

interface ContactLineProps {
  /** Before the addresses, such as "Questions? Write to". */
  children: ReactNode;
  className?: string;
}

/** A line with the ways to reach the operator; nothing where the operator has set none (CONTACT-1). */
export function ContactLine({ children, className }: ContactLineProps): ReactNode {
  const { contacts } = siteLinks;
  if (contacts.length === 0) return null;
  return (
    <p className={cx("text-small wrap-anywhere text-muted", className)}>
      {children}{" "}
      {contacts.map(({ label, href }, index) => (
        <span key={href}>
          {index > 0 && " or "}
          <a
            href={href}
            translate="no"
            className="rounded-control font-medium text-action underline underline-offset-4 hover:text-ink"
          >
            {label}
          </a>
        </span>
      ))}
      .
    </p>
  );
}
