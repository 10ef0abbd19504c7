import { ArrowDown, ArrowUp } from "lucide-react";
import { useLayoutEffect, useRef, type ReactNode } from "react";
import { IconButton } from "../../../ui/button.tsx";
import { cx } from "../../../ui/cx.ts";

interface MoveButtonsProps {
  /** What is moved, for the buttons' names. */
  name: string;
  /** Its position, from 0, and the length of its list. */
  index: number;
  count: number;
  isPending: boolean;
  onMove: (to: number) => void;
}

/** Moves something up or down in its list. The button that was pressed keeps the focus, wherever it is then. */
export function MoveButtons({ name, index, count, isPending, onMove }: MoveButtonsProps): ReactNode {
  const pressed = useRef<{ button: HTMLButtonElement; from: number }>(null);
  useLayoutEffect(() => {
    if (pressed.current === null || pressed.current.from === index) return;
    // An element that the browser moves loses the focus.
    if (document.activeElement === document.body) pressed.current.button.focus();
    pressed.current = null;
  });
  const button = (label: string, to: number, icon: ReactNode): ReactNode => {
    const isOff = isPending || to < 0 || to >= count;
    return (
      <IconButton
        label={`Move ${name} ${label}`}
        // Not `disabled`, which would lose the focus at the end of the list.
        aria-disabled={isOff}
        className={cx(isOff && "cursor-default opacity-40 hover:bg-transparent hover:text-muted")}
        onClick={(event) => {
          if (isOff) return;
          pressed.current = { button: event.currentTarget, from: index };
          onMove(to);
        }}
      >
        {icon}
      </IconButton>
    );
  };
  return (
    <span className="flex">
      {button("up", index - 1, <ArrowUp aria-hidden className="size-4.5" />)}
      {button("down", index + 1, <ArrowDown aria-hidden className="size-4.5" />)}
    </span>
  );
}
