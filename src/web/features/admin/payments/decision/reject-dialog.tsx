import type { ReactNode } from "react";
import { Rejection } from "#domain/api/payments/payment-inputs";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { ProductError } from "#domain/errors/messages";
import { amountText, paymentMethod } from "#domain/payment-methods/methods";
import { transferOf } from "#domain/payments/transfer";
import { api } from "../../../../platform/api.ts";
import { useForm } from "../../../../platform/form.ts";
import { reportError } from "../../../../platform/query/reported-error.ts";
import { TextField } from "../../../../ui/field.tsx";
import { refreshAfterDecision, replaceRequest } from "../queries.ts";
import { sendDecision } from "./own-decisions.ts";
import { ReasonDialog } from "./reason-dialog.tsx";
import { SavedReasons } from "./saved-reasons.tsx";
import { useDraft } from "./use-draft.ts";

interface RejectDialogProps {
  request: ReviewedPaymentRequest;
  isOpen: boolean;
  onRejected: (rejected: ReviewedPaymentRequest) => void;
  onClose: () => void;
}

const blank = { reason: "", amount_received: "" };

/** Asks for the reason of a rejection, and for what has arrived where that was too little; the student reads both (DECIDE-2, DECIDE-7). */
export function RejectDialog({ request, isOpen, onRejected, onClose }: RejectDialogProps): ReactNode {
  const [draft, keep] = useDraft(`rejection of ${request.id}`, blank);
  const form = useForm({
    initial: draft,
    schema: Rejection,
    mutationFn: (body) =>
      sendDecision(request.id, "rejected", () => api.paymentRequests.reject({ params: { id: request.id }, body })),
    fieldOfCode: { amount_received_invalid: "amount_received" },
    holdsEvents: true,
    onSuccess: (rejected) => {
      replaceRequest(rejected);
      form.replaceValues(blank);
      keep(blank);
      onClose();
      onRejected(rejected);
    },
    onError: (error) => {
      if (!(error instanceof ProductError) || error.code !== "payment_request_decided") return;
      reportError(error, "unexpected");
      close();
      return refreshAfterDecision();
    },
  });
  const transfer = transferOf(request);
  // Escape is soon pressed, so what was typed stays.
  const close = (): void => {
    form.clear();
    keep(form.values);
    onClose();
  };
  return (
    <ReasonDialog
      open={isOpen}
      title="Reject this payment"
      confirmLabel="Reject payment"
      form={form}
      about={
        <p>
          The student sees the reason and can submit again.{" "}
          <span className="font-medium wrap-anywhere text-ink">{request.email}</span>
        </p>
      }
      suggestions={<SavedReasons onChoose={(reason) => form.set({ reason })} />}
      onCancel={close}
    >
      {transfer && (
        <TextField
          label={`Received in ${paymentMethod(transfer.crypto_type).currency} (only where it was too little)`}
          hint={`Of ${amountText(transfer.crypto_type, transfer.amount_crypto)}. The student reads what is still to be paid.`}
          inputMode="decimal"
          autoComplete="off"
          disabled={form.isPending}
          {...form.field("amount_received")}
        />
      )}
    </ReasonDialog>
  );
}
