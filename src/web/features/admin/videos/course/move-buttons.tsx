import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../../../../ui/button.tsx";
import { cx } from "../../../../ui/cx.ts";

interface MoveButtonsProps {
  /** What is moved, for the buttons' names. */
  name: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (step: -1 | 1) => void;
}

/** Moves something a step up or down. */
export function MoveButtons({ name, isFirst, isLast, onMove }: MoveButtonsProps): ReactNode {
  return (
    <span className="flex">
      <MoveButton label={`Move ${name} up`} isOff={isFirst} onPress={() => onMove(-1)}>
        <ArrowUp aria-hidden className="size-4.5" />
      </MoveButton>
      <MoveButton label={`Move ${name} down`} isOff={isLast} onPress={() => onMove(1)}>
        <ArrowDown aria-hidden className="size-4.5" />
      </MoveButton>
    </span>
  );
}

interface MoveButtonProps {
  label: string;
  isOff: boolean;
  onPress: () => void;
  children: ReactNode;
}

function MoveButton({ label, isOff, onPress, children }: MoveButtonProps): ReactNode {
  return (
    <IconButton
      label={label}
      // Not `disabled`, which would lose the focus at the end of the list.
      aria-disabled={isOff}
      className={cx("max-sm:w-9", isOff && "cursor-default opacity-40 hover:bg-transparent hover:text-muted")}
      onClick={() => !isOff && onPress()}
    >
      {children}
    </IconButton>
  );
}
