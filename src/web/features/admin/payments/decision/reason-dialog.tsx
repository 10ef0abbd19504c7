import type { ReactNode } from "react";
import type { Form } from "../../../../platform/form.ts";
import { ConfirmDialog } from "../../../../ui/dialog.tsx";
import { TextArea } from "../../../../ui/field.tsx";

interface ReasonDialogProps {
  open: boolean;
  title: string;
  confirmLabel: string;
  form: Pick<Form<{ reason: string }>, "field" | "error" | "errorOf" | "isPending" | "onSubmit">;
  /** What the decision does. */
  about: ReactNode;
  /** Above the reason. */
  suggestions?: ReactNode;
  /** Fields below the reason. */
  children?: ReactNode;
  onCancel: () => void;
}

/** Asks for the reason of a decision, which the student reads. */
export function ReasonDialog({ form, about, suggestions, children, ...dialog }: ReasonDialogProps): ReactNode {
  return (
    <ConfirmDialog {...dialog} isDangerous isBusy={form.isPending} onConfirm={form.onSubmit}>
      {about}
      <div className="grid gap-4 text-ink">
        {suggestions}
        <TextArea
          label="Reason"
          required
          disabled={form.isPending}
          {...form.field("reason")}
          error={form.errorOf("reason") ?? form.error}
        />
        {children}
      </div>
    </ConfirmDialog>
  );
}
