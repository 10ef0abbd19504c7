import { useState, type ReactNode } from "react";
import type { ErrorCode } from "#domain/messages";
import { messageOf } from "../../platform/errors.ts";
import { queryClient } from "../../platform/query-client.ts";
import { ConfirmDialog } from "../../ui/dialog.tsx";

interface DeleteDialogProps<Row> {
  /** What is to be deleted; the dialog is open while there is something. */
  row: Row | undefined;
  title: string;
  remove: (row: Row) => Promise<unknown>;
  /** The list to read again afterwards. */
  queryKey: readonly string[];
  /** The error to show where the server gives none. */
  failure?: ErrorCode;
  children: ReactNode;
  onClose: () => void;
}

/** Asks before a row of any of the admin's lists is deleted. */
export function DeleteDialog<Row>(props: DeleteDialogProps<Row>): ReactNode {
  const { row, title, remove, queryKey, failure = "unexpected", children, onClose } = props;
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const close = (): void => {
    setError(undefined);
    onClose();
  };
  const confirm = async (): Promise<void> => {
    if (row === undefined) return;
    setBusy(true);
    setError(undefined);
    try {
      await remove(row);
      await queryClient.invalidateQueries({ queryKey });
      close();
    } catch (thrown) {
      setError(messageOf(thrown, failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <ConfirmDialog
      open={row !== undefined}
      title={title}
      confirmLabel="Delete"
      isDangerous
      isBusy={isBusy}
      error={error}
      onConfirm={() => void confirm()}
      onCancel={close}
    >
      {children}
    </ConfirmDialog>
  );
}
