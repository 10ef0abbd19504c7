import type { ReactNode, SubmitEvent } from "react";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { differingPart, type ChangedValue } from "./changed-values.ts";

interface ChangesDialogProps {
  open: boolean;
  changes: readonly ChangedValue[];
  isBusy: boolean;
  /** The proof, where one is needed. */
  children: ReactNode;
  onConfirm: (event: SubmitEvent<HTMLFormElement>) => void;
  onCancel: () => void;
}

/** What saving would change, each value in full with the part that differs, before it is saved (WALLET-6). */
export function ChangesDialog({ changes, children, ...rest }: ChangesDialogProps): ReactNode {
  return (
    <ConfirmDialog title="Save these changes?" confirmLabel={rest.isBusy ? "Saving..." : "Save changes"} {...rest}>
      <dl className="grid gap-4 border-y border-line py-4 text-ink">
        {changes.map(({ label, before, after }) => (
          <div key={label} className="grid gap-1">
            <dt className="font-medium">{label}</dt>
            <Value name="Now" text={before} other={after} />
            <Value name="New" text={after} other={before} />
          </div>
        ))}
      </dl>
      <p className="text-small">
        Quotes from now on use the new values. Open quotes keep theirs for up to 30 minutes, unless you void them. With
        DESTINATION_DELAY, a changed destination waits that long.
      </p>
      {children}
    </ConfirmDialog>
  );
}

function Value({ name, text, other }: { name: string; text: string; other: string }): ReactNode {
  const { start, end } = differingPart(text, other);
  return (
    <dd className="grid grid-cols-[3rem_1fr] gap-2 text-small">
      <span className="text-muted">{name}</span>
      {text === "" ? (
        <span className="text-muted">empty</span>
      ) : (
        <span className="figures wrap-anywhere">
          {text.slice(0, start)}
          <mark className="rounded-control bg-caution-soft font-semibold text-ink">{text.slice(start, end)}</mark>
          {text.slice(end)}
        </span>
      )}
    </dd>
  );
}
