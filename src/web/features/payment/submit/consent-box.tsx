import type { ReactNode } from "react";
import { Checkbox } from "../../../ui/field.tsx";

interface ConsentBoxProps {
  isGiven: boolean;
  error: string | undefined;
  disabled: boolean;
  onChange: (isGiven: boolean) => void;
}

export function ConsentBox({ isGiven, error, disabled, onChange }: ConsentBoxProps): ReactNode {
  return (
    <Checkbox
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
