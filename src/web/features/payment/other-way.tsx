import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";

interface OtherWayProps {
  question: string;
  onClick: () => void;
  children: ReactNode;
}

/** The way to the other form, for a student to whom the one above it does not apply. */
export function OtherWay({ question, onClick, children }: OtherWayProps): ReactNode {
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-small text-muted">
      <span>{question}</span>
      <Button variant="link" size="small" className="-mx-3" onClick={onClick}>
        {children}
      </Button>
    </p>
  );
}
