import { Dialog } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { IconButton } from "./button.tsx";
import { cx } from "./cx.ts";
import { focusInside } from "./initial-focus.ts";

interface SheetProps {
  open: boolean;
  title: string;
  children: ReactNode;
  /** Covers the whole screen. */
  isFull?: boolean;
  onClose: () => void;
}

/**
 * A dialog to look at, with nothing to confirm. The focus begins at `data-initial-focus` if there is one, stays inside, and returns to where
 * it was when the dialog closes.
 */
export function Sheet({ open, title, children, isFull, onClose }: SheetProps): ReactNode {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Viewport className={cx("fixed inset-0 z-50 grid overflow-y-auto", !isFull && "place-items-center p-4")}>
          <Dialog.Popup
            ref={popup}
            initialFocus={() => focusInside(popup.current)}
            className={cx(
              "appear flex flex-col bg-surface outline-none",
              isFull ? "h-dvh w-screen p-3 sm:p-4" : "w-full max-w-md rounded-panel border border-line p-6",
            )}
          >
            <div className="mb-3 flex items-center justify-between gap-3">
              <Dialog.Title className="min-w-0 text-title wrap-anywhere">{title}</Dialog.Title>
              <Dialog.Close
                render={
                  <IconButton label="Close">
                    <X aria-hidden className="size-4.5" />
                  </IconButton>
                }
              />
            </div>
            {children}
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
