import { useMutation } from "@tanstack/react-query";
import { useRef, useState, type ReactNode } from "react";
import { texts } from "#domain/texts/texts";
import { api } from "../../../platform/api.ts";
import { messageOf } from "../../../platform/errors.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { DeleteDialog } from "../delete-dialog.tsx";
import { usersKey } from "./queries.ts";

interface UserDialogProps {
  /** The student in question; the dialog is open while there is one. */
  user: { id: string; email: string } | undefined;
  onClose: () => void;
}

/** Asks the specified question, and for the address, before a student is deleted (ADMIN-3, USER-3). */
export function DeleteUserDialog({
  user,
  onDeleted,
  onClose,
}: UserDialogProps & { onDeleted: (user: { id: string }) => void }): ReactNode {
  const [typed, setTyped] = useState("");
  const [isOther, setIsOther] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ id }: { id: string }) => api.users.remove({ query: { userId: id } }),
    onSuccess: async (_reply, gone) => {
      onDeleted(gone);
      await queryClient.invalidateQueries({ queryKey: usersKey });
      close();
    },
  });
  const close = (): void => {
    setTyped("");
    setIsOther(false);
    reset();
    onClose();
  };
  const confirm = (): void => {
    if (user === undefined) return;
    if (typed.trim().toLowerCase() === user.email) mutate(user);
    else {
      setIsOther(true);
      field.current?.focus();
    }
  };
  return (
    <ConfirmDialog
      open={user !== undefined}
      title="Delete user"
      confirmLabel="Delete"
      isDangerous
      isBusy={isPending}
      error={error ? messageOf(error, "user_delete_failed") : undefined}
      onConfirm={confirm}
      onCancel={close}
    >
      <p>{texts.admin.confirmDeleteUser}</p>
      <p className="font-medium wrap-anywhere text-ink">{user?.email}</p>
      <div className="text-ink">
        <TextField
          ref={field}
          label="Type the e-mail address to confirm"
          type="email"
          autoComplete="off"
          value={typed}
          error={isOther ? "This is not the address above." : undefined}
          onChange={({ target }) => {
            setTyped(target.value);
            setIsOther(false);
          }}
        />
      </div>
    </ConfirmDialog>
  );
}

/** Asks before the second factor of a student who lost it is turned off (FACTOR-6). */
export function TurnOffFactorDialog({ user, onClose }: UserDialogProps): ReactNode {
  return (
    <DeleteDialog
      row={user}
      title="Turn off two-step sign-in"
      confirmLabel="Turn off"
      remove={({ id }) => api.users.removeSecondFactor({ query: { userId: id } })}
      queryKey={usersKey}
      onClose={onClose}
    >
      <p>
        For a student who lost phone and recovery codes. Make sure that it is really them: afterwards the password alone opens
        the account. All their sessions end, and they are notified by mail.
      </p>
      <p className="font-medium wrap-anywhere text-ink">{user?.email}</p>
    </DeleteDialog>
  );
}
