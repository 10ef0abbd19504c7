import type { ReactNode } from "react";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { amountText, paymentMethod } from "#domain/payment-methods/methods";
import type { Transfer } from "#domain/payments/transfer";
import type { useForm } from "../../../../platform/form.ts";
import { TextArea, TextField } from "../../../../ui/field.tsx";

export interface AmountDialogProps {
  request: ReviewedPaymentRequest;
  transfer: Transfer;
  isOpen: boolean;
  onClose: () => void;
}

/** What the admin types in the dialogs about another amount. */
export interface AmountValues {
  amount_received: string;
  note: string;
}

interface AmountFieldsProps {
  form: Pick<ReturnType<typeof useForm<AmountValues, unknown, unknown>>, "field" | "isPending" | "error">;
  transfer: Transfer;
  /** Says what the amount counts. */
  hint: string;
}

/** The amount received, and a note that the student never reads (PART-2). */
export function AmountFields({ form, transfer: { crypto_type, amount_crypto }, hint }: AmountFieldsProps): ReactNode {
  const amount = form.field("amount_received");
  return (
    <div className="grid gap-4 text-ink">
      <TextField
        label={`Received in ${paymentMethod(crypto_type).currency}`}
        hint={`${hint} The amount due is ${amountText(crypto_type, amount_crypto)}.`}
        inputMode="decimal"
        autoComplete="off"
        required
        disabled={form.isPending}
        {...amount}
        error={amount.error ?? form.error}
      />
      <TextArea label="Note, for you alone (optional)" disabled={form.isPending} {...form.field("note")} />
    </div>
  );
}
