import type { ReactNode, Ref } from "react";
import { maxReferenceLength } from "#domain/payments/payment-request";
import { normaliseReference } from "#domain/payment-methods/reference";
import { paymentMethod, type CryptoType } from "#domain/payment-methods/methods";
import { TextField } from "../../../ui/field.tsx";

/** What is wrong with a reference for this method; an empty one is fine. */
export function referenceProblem(method: CryptoType, text: string): string | undefined {
  try {
    normaliseReference(method, text);
    return undefined;
  } catch {
    return paymentMethod(method).reference.description;
  }
}

interface ReferenceFieldProps {
  ref: Ref<HTMLInputElement>;
  method: CryptoType | undefined;
  value: string;
  error: string | undefined;
  disabled: boolean;
  onChange: (text: string) => void;
  onLeave: () => void;
}

export function ReferenceField({ ref, method, value, error, disabled, onChange, onLeave }: ReferenceFieldProps): ReactNode {
  return (
    <TextField
      label="Transaction reference"
      aside={<span className="text-small text-muted">Optional</span>}
      hint={paymentMethod(method ?? "bitcoin").reference.hint}
      error={error}
      ref={ref}
      name="reference"
      autoComplete="off"
      spellCheck={false}
      maxLength={maxReferenceLength}
      disabled={disabled}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onLeave}
    />
  );
}
