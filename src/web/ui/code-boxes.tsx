import { Field } from "@base-ui/react/field";
import { OTPField } from "@base-ui/react/otp-field";
import type { ReactNode } from "react";

interface CodeBoxesProps {
  label: string;
  length: number;
  value: string;
  onChange: (value: string) => void;
  disabled?: boolean;
  invalid?: boolean;
  describedBy?: string | undefined;
}

/** One box a digit. Pasting anywhere fills from the first box, arrows and backspace move as one expects. */
export function CodeBoxes({ label, length, value, onChange, disabled, invalid, describedBy }: CodeBoxesProps): ReactNode {
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
