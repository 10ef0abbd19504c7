import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";

interface OutsideLinkProps {
  href: string;
  /** The whole of what the link shows a part of. */
  title?: string;
  children: ReactNode;
}

/** Leads away from the site, in a tab of its own that cannot reach back. */
export function OutsideLink({ href, title, children }: OutsideLinkProps): ReactNode {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className="font-figures text-action underline-offset-4 hover:underline"
    >
      <span title={title}>{children}</span>
      <ExternalLink aria-hidden className="ml-1 inline size-3.5" />
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
