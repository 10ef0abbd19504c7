import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { ErrorCode } from "#domain/errors/messages";
import { messageOf } from "../../platform/errors.ts";
import { queryClient } from "../../platform/query/query-client.ts";
import { ConfirmDialog } from "../../ui/dialog.tsx";

interface DeleteDialogProps<Row> {
  /** The row in question; the dialog is open while there is one. */
  row: Row | undefined;
  title: string;
  confirmLabel?: string;
  remove: (row: Row) => Promise<unknown>;
  /** The list to read again afterwards. */
  queryKey: readonly unknown[];
  /** Whose text is used where the server sent none. */
  fallback?: ErrorCode;
  children: ReactNode;
  onClose: () => void;
}

/** Asks before a row of one of the admin's lists, or something of it, is deleted (ADMIN-3). */
export function DeleteDialog<Row>(props: DeleteDialogProps<Row>): ReactNode {
  const { row, title, confirmLabel = "Delete", remove, queryKey, fallback = "unexpected", children, onClose } = props;
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open={row !== undefined}
      title={title}
      confirmLabel={confirmLabel}
      isDangerous
      isBusy={isPending}
      error={error ? messageOf(error, fallback) : undefined}
      onConfirm={() => row !== undefined && mutate(row)}
      onCancel={() => {
        reset();
        onClose();
      }}
    >
      {children}
    </ConfirmDialog>
  );
}
