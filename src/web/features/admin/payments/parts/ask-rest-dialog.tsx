import type { ReactNode } from "react";
import { AskRest } from "#domain/api/payments/payment-inputs";
import { api } from "../../../../platform/api.ts";
import { useForm } from "../../../../platform/form.ts";
import { ConfirmDialog } from "../../../../ui/dialog.tsx";
import { refreshAfterDecision } from "../queries.ts";
import { AmountFields, type AmountDialogProps } from "./amount-fields.tsx";

/** Asks what has arrived so far; the student is then asked for the rest (PART-3). */
export function AskRestDialog({ request, transfer, isOpen, onClose }: AmountDialogProps): ReactNode {
  const form = useForm({
    initial: { amount_received: "", note: "" },
    schema: AskRest,
    mutationFn: (body) => api.paymentRequests.askRest({ params: { id: request.id }, body }),
    fieldOfCode: { rest_amount_invalid: "amount_received" },
    onSuccess: async () => {
      await refreshAfterDecision();
      close();
    },
    onError: refreshAfterDecision,
  });
  const close = (): void => {
    form.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={isOpen}
      title="Ask for the rest"
      confirmLabel="Ask for the rest"
      isBusy={form.isPending}
      onConfirm={form.onSubmit}
      onCancel={close}
    >
      <p>
        The request stays pending. The student is told by mail what has arrived and what is still to pay, and pays it to the
        same request. <span className="font-medium wrap-anywhere text-ink">{request.email}</span>
      </p>
      <AmountFields form={form} transfer={transfer} hint="What has arrived so far, of all parts together." />
    </ConfirmDialog>
  );
}
