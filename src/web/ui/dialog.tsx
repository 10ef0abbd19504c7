import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useRef, type ReactNode, type SubmitEvent } from "react";
import { Banner } from "./banner.tsx";
import { Button } from "./button.tsx";
import { focusInside } from "./initial-focus.ts";

interface ConfirmDialogProps {
  open: boolean;
  title: string;
  /** The question, or what else must be known before deciding. */
  children: ReactNode;
  confirmLabel: string;
  isDangerous?: boolean;
  isBusy?: boolean;
  error?: string | undefined;
  /** Whether the error is one that the user cannot fix. */
  offersHelp?: boolean;
  /** The submit event of the dialog's form, for `onSubmit` of `useForm`. */
  onConfirm: (event: SubmitEvent<HTMLFormElement>) => void;
  onCancel: () => void;
}

/** Asks before an action that cannot be undone. The focus stays inside, and returns to where it was when the dialog closes. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { open, title, children, confirmLabel, isDangerous, isBusy, error, offersHelp, onConfirm, onCancel } = props;
  const popup = useRef<HTMLDivElement>(null);
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && !isBusy && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <AlertDialog.Viewport className="fixed inset-0 z-50 grid place-items-center overflow-y-auto p-4">
          <AlertDialog.Popup
            ref={popup}
            initialFocus={() => focusInside(popup.current)}
            className="appear w-full max-w-md rounded-panel border border-line bg-surface p-6 outline-none"
          >
            <form
              className="grid grid-cols-1 gap-4"
              noValidate
              onSubmit={(event) => {
                event.preventDefault();
                onConfirm(event);
              }}
            >
              <AlertDialog.Title className="text-title wrap-anywhere">{title}</AlertDialog.Title>
              <AlertDialog.Description render={<div />} className="grid grid-cols-1 gap-4 wrap-anywhere text-muted">
                {children}
              </AlertDialog.Description>
              {error !== undefined && (
                <Banner tone="loss" offersHelp={offersHelp === true}>
                  {error}
                </Banner>
              )}
              <div className="flex flex-col-reverse gap-3 sm:flex-row sm:justify-end">
                <AlertDialog.Close render={<Button variant="secondary" disabled={isBusy} />}>Cancel</AlertDialog.Close>
                <Button type="submit" variant={isDangerous ? "danger" : "primary"} isBusy={isBusy}>
                  {confirmLabel}
                </Button>
              </div>
            </form>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
