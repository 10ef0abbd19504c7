import { useId, type ReactNode } from "react";
import * as z from "zod/mini";
import { moduleName, videoPackage, type SharedChanges } from "#domain/api/course/videos";
import { videosOptions } from "../../../../entities/video/queries.ts";
import { api } from "../../../../platform/api.ts";
import { useForm } from "../../../../platform/form.ts";
import { queryClient } from "../../../../platform/query/query-client.ts";
import { ConfirmDialog } from "../../../../ui/dialog.tsx";
import { TextField } from "../../../../ui/field.tsx";
import { toast } from "../../../../ui/toast.tsx";
import { PackageField } from "../package-field.tsx";

interface ChangeProps {
  ids: string[];
  /** How many they are, in words. */
  count: string;
  onClose: () => void;
}

/** A form that changes all selected lessons; they stay selected. */
function useChange<Values, Changes extends SharedChanges>(
  { ids, count, onClose }: ChangeProps,
  initial: Values,
  schema: z.core.$ZodType<Changes>,
) {
  return useForm({
    initial,
    schema,
    mutationFn: (changes) => api.videos.updateSelected({ ids, changes }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: videosOptions.queryKey });
      toast({ title: `${count} changed` });
      onClose();
    },
  });
}

/** Asks for the package of the selected lessons; none is chosen before. */
export function PackageDialog(props: ChangeProps): ReactNode {
  const form = useChange(props, { package_type: "" }, z.object({ package_type: videoPackage }));
  return (
    <ConfirmDialog
      open
      title={`Package of ${props.count}`}
      confirmLabel="Change package"
      isBusy={form.isPending}
      error={form.error}
      onConfirm={form.onSubmit}
      onCancel={props.onClose}
    >
      <PackageField {...form.field("package_type")} />
    </ConfirmDialog>
  );
}

/** Asks for the module of the selected lessons, one that exists or a new one. */
export function ModuleDialog({ modules, ...props }: ChangeProps & { modules: string[] }): ReactNode {
  const form = useChange(props, { module: "" }, z.object({ module: moduleName }));
  const listId = useId();
  return (
    <ConfirmDialog
      open
      title={`Module of ${props.count}`}
      confirmLabel="Change module"
      isBusy={form.isPending}
      error={form.error}
      onConfirm={form.onSubmit}
      onCancel={props.onClose}
    >
      <TextField
        label="Module"
        hint="They follow the lessons that are there. A new name makes a new module."
        list={listId}
        autoComplete="off"
        {...form.field("module")}
      />
      <datalist id={listId}>
        {modules.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
    </ConfirmDialog>
  );
}
