import type { ReactNode } from "react";
import { GrantPackage, type UserDetail } from "#domain/api/users";
import { includesPackage, packages, packageTypes, type PackageType } from "#domain/packages";
import { api } from "../../../../platform/api.ts";
import { useForm } from "../../../../platform/form.ts";
import { queryClient } from "../../../../platform/query/query-client.ts";
import { ConfirmDialog } from "../../../../ui/dialog.tsx";
import { SelectField, TextField } from "../../../../ui/field.tsx";
import { toast } from "../../../../ui/toast.tsx";
import { usersKey } from "../queries.ts";

interface GrantDialogProps {
  user: UserDetail;
  isOpen: boolean;
  onClose: () => void;
}

/** Gives a package for free, with a reason (USER-5). */
export function GrantDialog({ user, isOpen, onClose }: GrantDialogProps): ReactNode {
  const offered = packageTypes.filter((type) => !includesPackage(user.subscription_status, type));
  const newest: PackageType = offered.at(-1) ?? "advanced";
  const form = useForm({
    initial: { package_type: newest, reason: "" },
    schema: GrantPackage,
    mutationFn: (body) => api.users.grant({ params: { id: user.id }, body }),
    onSuccess: async ({ user: changed }) => {
      await queryClient.invalidateQueries({ queryKey: usersKey });
      toast({ title: `${changed.email} has ${changed.subscription_status} for free` });
      close();
    },
  });
  const close = (): void => {
    form.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={isOpen}
      title="Give a package for free"
      confirmLabel="Give for free"
      isBusy={form.isPending}
      error={form.error}
      offersHelp={form.offersHelp}
      onConfirm={form.onSubmit}
      onCancel={close}
    >
      <p>
        {user.email} gets the package at once and is told by mail. There is no payment request and no receipt. The reason is for
        the audit log.
      </p>
      <div className="grid gap-4 text-ink">
        <SelectField label="Package" {...form.field("package_type")}>
          {offered.map((type) => (
            <option key={type} value={type}>
              {packages[type].name}
            </option>
          ))}
        </SelectField>
        <TextField label="Reason" {...form.field("reason")} />
      </div>
    </ConfirmDialog>
  );
}
