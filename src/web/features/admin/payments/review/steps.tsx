import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../../../../ui/button.tsx";
import { neighbour } from "./queue-order.ts";

interface StepsProps {
  order: Parameters<typeof neighbour>[0];
  id: string;
  /** Whether the queue goes on behind what was read of it. */
  hasMore: boolean;
  onStep: (steps: 1 | -1) => () => void;
}

/** Where the open request stands in the queue, and the way to the next and the previous one. */
export function Steps({ order, id, hasMore, onStep }: StepsProps): ReactNode {
  const index = order.findIndex((one) => one.id === id);
  return (
    <div className="flex items-center">
      {index >= 0 && (
        <span className="figures mr-2 text-small text-muted">
          {index + 1} of {order.length}
          {hasMore && "+"}
        </span>
      )}
      <IconButton
        label="Previous request"
        aria-keyshortcuts="k"
        disabled={neighbour(order, id, -1) === undefined}
        onClick={onStep(-1)}
      >
        <ChevronLeft aria-hidden className="size-4.5" />
      </IconButton>
      <IconButton
        label="Next request"
        aria-keyshortcuts="j"
        disabled={neighbour(order, id, 1) === undefined}
        onClick={onStep(1)}
      >
        <ChevronRight aria-hidden className="size-4.5" />
      </IconButton>
    </div>
  );
}
