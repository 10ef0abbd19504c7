import type { ReactNode } from "react";
import { Link } from "react-router";
import { Panel } from "../../../ui/panel.tsx";

interface FigureProps {
  name: string;
  value: ReactNode;
  /** A line below the figure. */
  children?: ReactNode;
  /** Where the figure leads to, and the words for it. */
  to?: string;
  action?: string;
}

/** One figure of the overview, with its name above it; the whole panel is the link where there is one. */
export function Figure({ name, value, children, to, action }: FigureProps): ReactNode {
  return (
    <Panel className="relative flex flex-col gap-1" aria-label={name}>
      <h2 className="text-small font-medium tracking-normal text-muted">{name}</h2>
      <p className="figures text-heading font-semibold">{value}</p>
      {children !== undefined && <p className="text-small text-muted">{children}</p>}
      {to !== undefined && (
        <Link to={to} className="text-small text-action underline-offset-4 after:absolute after:inset-0 hover:underline">
          {action}
        </Link>
      )}
    </Panel>
  );
}
