import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { Spinner } from "../../ui/spinner.tsx";

interface SaveButtonProps {
  label: string;
  isBusy: boolean;
  /** What is said beside the button once it is done. */
  done?: string | undefined;
}

/** The end of each form of the page: its button, and what has come of it. */
export function SaveButton({ label, isBusy, done = "" }: SaveButtonProps): ReactNode {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <Button type="submit" variant="secondary" disabled={isBusy}>
        {isBusy && <Spinner />}
        {label}
      </Button>
      <p role="status" className="text-small text-gain">
        {done}
      </p>
    </div>
  );
}
