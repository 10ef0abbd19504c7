import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";

interface FormButtonsProps {
  /** What the form does when it is submitted. */
  save: string;
  isPending: boolean;
  onCancel: () => void;
}

/** The end of a form that opens above a list. */
export function FormButtons({ save, isPending, onCancel }: FormButtonsProps): ReactNode {
  return (
    <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
      <Button variant="secondary" disabled={isPending} onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" isBusy={isPending}>
        {isPending ? "Saving..." : save}
      </Button>
    </div>
  );
}
