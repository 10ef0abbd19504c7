import { Field } from "@base-ui/react/field";
import { OTPField } from "@base-ui/react/otp-field";
import type { ClipboardEvent, KeyboardEvent, ReactNode } from "react";
import { flushSync } from "react-dom";

interface CodeBoxesProps {
  label: string;
  length: number;
  value: string;
  onChange: (value: string) => void;
  disabled?: boolean;
  invalid?: boolean;
  describedBy?: string | undefined;
}

/**
 * One box a digit. Arrows and backspace move as one expects. A pasted code replaces all boxes, whichever has the focus, and Enter
 * sends the form even while boxes are empty, so that the form can say so.
 */
export function CodeBoxes({ label, length, value, onChange, disabled, invalid, describedBy }: CodeBoxesProps): ReactNode {
  const paste = (event: ClipboardEvent<HTMLDivElement>): void => {
    event.preventDefault();
    event.stopPropagation();
    const digits = event.clipboardData.getData("text").replaceAll(/\D/g, "").slice(0, length);
    if (digits === "") return;
    const boxes = event.currentTarget;
    // A box takes the focus once the one before it is filled.
    flushSync(() => onChange(digits));
    boxes.querySelectorAll("input")[Math.min(digits.length, length - 1)]?.focus();
  };
  const sendOnEnter = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    event.currentTarget.closest("form")?.requestSubmit();
  };
  return (
    <Field.Root invalid={invalid ?? false}>
      <Field.Label className="mb-2 block text-small font-medium">{label}</Field.Label>
      <OTPField.Root
        length={length}
        value={value}
        onValueChange={(next) => onChange(next)}
        validationType="numeric"
        disabled={disabled ?? false}
        className="grid grid-cols-6 gap-2"
        onPasteCapture={paste}
        onKeyDownCapture={sendOnEnter}
      >
        {Array.from({ length }, (_, index) => (
          <OTPField.Input
            key={index}
            autoFocus={index === 0}
            aria-describedby={index === 0 ? describedBy : undefined}
            aria-label={index === 0 ? undefined : `Digit ${index + 1} of ${length}`}
            className="figures aspect-[5/6] max-h-16 w-full min-w-0 rounded-control border border-control bg-surface text-center text-title font-semibold transition-colors hover:border-ink data-invalid:border-loss"
          />
        ))}
      </OTPField.Root>
    </Field.Root>
  );
}
