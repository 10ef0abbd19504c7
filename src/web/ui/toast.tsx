import { Toast } from "@base-ui/react/toast";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { Button, IconButton } from "./button.tsx";

interface ToastOptions {
  /** What has happened. */
  title: string;
  description?: string;
  /** What can be done about it, such as "Undo"; it also closes the toast. */
  action?: { label: string; run: () => void };
  /** Called once it begins to close, by whatever. */
  onClose?: () => void;
}

/** How long a toast stays, in milliseconds. Time stands still while it is hovered or focused. */
const stayMs = 10_000;

const manager = Toast.createToastManager<Pick<ToastOptions, "action">>();
/** What had the focus before the toasts took it. */
let focusedBefore: HTMLElement | undefined;

/** Says what has happened, where `Toasts` is mounted; announced politely. Returns a function that closes it. Errors are for a banner. */
export function toast({ title, description, action, onClose }: ToastOptions): () => void {
  const closed = (): void => {
    returnFocus();
    onClose?.();
  };
  const id = manager.add({ title, description, data: { action }, onClose: closed });
  return () => manager.close(id);
}

function returnFocus(): void {
  if (document.activeElement?.closest("[data-toasts]") && focusedBefore?.isConnected === true) focusedBefore.focus();
}

/** Renders the toasts of the page, the newest at the bottom; more than fit scroll. F6 moves the focus to them. */
export function Toasts(): ReactNode {
  return (
    // None is hidden before its time, since each may have an action.
    <Toast.Provider toastManager={manager} timeout={stayMs} limit={Infinity}>
      <Toast.Portal>
        <Toast.Viewport
          data-toasts
          onFocusCapture={({ currentTarget, relatedTarget }) => {
            if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget)) focusedBefore = relatedTarget;
          }}
          className="pointer-events-none fixed inset-x-3 bottom-[calc(var(--bottom-bar,0rem)+0.75rem)] z-60 mx-auto flex max-h-[60dvh] max-w-md flex-col-reverse gap-2 overflow-x-hidden overflow-y-auto p-1 outline-none sm:right-5 sm:left-auto sm:w-full print:hidden"
        >
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList(): ReactNode {
  const { toasts, close } = Toast.useToastManager<Pick<ToastOptions, "action">>();
  return toasts.map((one) => {
    const action = one.data?.action;
    return (
      <Toast.Root
        key={one.id}
        toast={one}
        // A finger scrolls them; each has a button to dismiss it.
        swipeDirection={[]}
        className="appear pointer-events-auto rounded-panel border border-l-4 border-line border-l-gain bg-surface"
      >
        <Toast.Content className="flex items-center gap-2 py-1 pr-1 pl-4">
          <div className="min-w-0 grow py-2 text-small">
            <Toast.Title render={<p />} className="font-semibold wrap-anywhere" />
            <Toast.Description className="wrap-anywhere text-muted" />
          </div>
          {action && (
            <Button
              variant="secondary"
              size="small"
              onClick={() => {
                close(one.id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton label="Dismiss" onClick={() => close(one.id)}>
            <X aria-hidden className="size-4.5" />
          </IconButton>
        </Toast.Content>
      </Toast.Root>
    );
  });
}
