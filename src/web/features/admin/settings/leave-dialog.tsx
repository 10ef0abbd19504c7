import { useEffect, type ReactNode } from "react";
import { useBlocker } from "react-router";
import { ConfirmDialog } from "../../../ui/dialog.tsx";

/** Asks before another tab of the admin's page is opened, or the page is closed, with unsaved changes of the wallet settings. */
export function LeaveDialog({ isUnsaved, onDiscard }: { isUnsaved: boolean; onDiscard: () => void }): ReactNode {
  const blocker = useBlocker(
    ({ nextLocation }) =>
      isUnsaved &&
      nextLocation.pathname.startsWith("/admin") &&
      (nextLocation.pathname !== "/admin" || new URLSearchParams(nextLocation.search).get("tab") !== "settings"),
  );
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isUnsaved]);
  return (
    <ConfirmDialog
      open={blocker.state === "blocked"}
      title="Leave without saving?"
      confirmLabel="Discard changes"
      isDangerous
      onConfirm={() => {
        onDiscard();
        blocker.proceed?.();
      }}
      onCancel={() => blocker.reset?.()}
    >
      <p>The wallet settings have changes that are not saved.</p>
    </ConfirmDialog>
  );
}
