import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";

interface SaveButtonProps {
  label: string;
  isBusy: boolean;
  /** The text beside the button after a success. */
  done?: string | undefined;
}

/** The submit button of each form on the page, with the result beside it. */
export function SaveButton({ label, isBusy, done = "" }: SaveButtonProps): ReactNode {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button type="submit" variant="secondary" isBusy={isBusy}>
        {label}
      </Button>
      <p role="status" className="text-small text-gain">
        {done}
      </p>
    </div>
  );
}
