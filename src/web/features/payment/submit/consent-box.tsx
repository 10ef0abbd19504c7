import type { ReactNode, Ref } from "react";
import { Checkbox } from "../../../ui/field.tsx";

interface ConsentBoxProps {
  ref: Ref<HTMLInputElement>;
  isGiven: boolean;
  error: string | undefined;
  disabled: boolean;
  onChange: (isGiven: boolean) => void;
}

export function ConsentBox({ ref, isGiven, error, disabled, onChange }: ConsentBoxProps): ReactNode {
  return (
    <Checkbox
      ref={ref}
      name="consent"
      checked={isGiven}
      disabled={disabled}
      error={error}
      onChange={(event) => onChange(event.target.checked)}
      label={
        <>
          I have read <PolicyLinks />.
        </>
      }
    />
  );
}

/** What the student agrees to by submitting (PAY-1). */
export function PolicyLinks(): ReactNode {
  const link = "text-action underline underline-offset-4";
  return (
    <>
      the{" "}
      <a className={link} href="/#refunds" target="_blank" rel="noreferrer">
        no-refund policy
      </a>{" "}
      (all sales are final) and the{" "}
      <a className={link} href="/#risk" target="_blank" rel="noreferrer">
        risk disclaimer
      </a>
    </>
  );
}
