import type { ReactNode } from "react";
import * as z from "zod/mini";
import { code, line } from "#domain/api/fields";
import { Approval } from "#domain/api/payments/payment-inputs";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { errors, ProductError } from "#domain/errors/messages";
import { api } from "../../../../platform/api.ts";
import { useForm } from "../../../../platform/form.ts";
import { reportError } from "../../../../platform/query/reported-error.ts";
import { ConfirmDialog } from "../../../../ui/dialog.tsx";
import { isDowngrade } from "#domain/packages";
import { refreshAfterDecision, replaceRequest } from "../queries.ts";
import { FlagList, flagsOf } from "../decision/flags.tsx";
import { MoneySeen } from "../decision/money-seen.tsx";
import { sendDecision } from "../decision/own-decisions.ts";
import { AmountFields, type AmountDialogProps } from "./amount-fields.tsx";

/** Unlike an approval of the amount due, this one needs an amount. */
const otherAmount = (tick: string) =>
  z.object({
    amount_received: line(40, code("amount_received_unreadable")),
    note: Approval.shape.note,
    ticked: z.literal(tick, code("tick_missing")),
  });

interface AcceptAmountDialogProps extends AmountDialogProps {
  /** What is known to have arrived; the form begins with it. */
  received: string;
  /** Stands for the pictures of the request: a tick for others does not hold (REVIEW-3). */
  tick: string;
  /** The tick that the form begins with; empty without one. */
  ticked: string;
  onApproved: (approved: ReviewedPaymentRequest) => void;
}

/** Approves with another amount than the one due; names in the same dialog what is flagged, a downgrade included (PART-1, PACKAGE-3, REVIEW-4). */
export function AcceptAmountDialog(props: AcceptAmountDialogProps): ReactNode {
  const { request, transfer, received, tick, ticked, isOpen, onApproved, onClose } = props;
  const lowers = request.payer_tier !== null && isDowngrade(request.payer_tier, request.package_type);
  const form = useForm({
    initial: { amount_received: received, note: "", ticked },
    schema: otherAmount(tick),
    mutationFn: ({ amount_received, note }) =>
      sendDecision(request.id, "approved", () =>
        api.paymentRequests.approve({
          params: { id: request.id },
          body: { amount_received, note, confirm_downgrade: lowers },
        }),
      ),
    fieldOfCode: { amount_received_unreadable: "amount_received" },
    holdsEvents: true,
    onSuccess: (approved) => {
      replaceRequest(approved);
      close();
      onApproved(approved);
    },
    onError: (error) => {
      // This dialog goes with the question.
      if (error instanceof ProductError && error.code === "payment_request_decided") reportError(error, "unexpected");
      return refreshAfterDecision();
    },
  });
  const close = (): void => {
    form.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={isOpen}
      title="Accept another amount"
      confirmLabel="Approve with this amount"
      isDangerous={lowers}
      isBusy={form.isPending}
      onConfirm={form.onSubmit}
      onCancel={close}
    >
      <p>
        The package is unlocked, and the receipt has the amount received.{" "}
        <span className="font-medium wrap-anywhere text-ink">{request.email}</span>
      </p>
      {lowers && <p className="font-medium text-caution">{errors.downgrade_unconfirmed.text}</p>}
      <FlagList flags={flagsOf(request).filter(({ kind }) => kind !== "downgrade")} />
      <AmountFields form={form} transfer={transfer} hint="Less or more than was due." />
      <div className="text-ink">
        <MoneySeen
          checked={form.values.ticked === tick}
          error={form.errorOf("ticked")}
          disabled={form.isPending}
          onChange={({ target }) => form.set({ ticked: target.checked ? tick : "" })}
        />
      </div>
    </ConfirmDialog>
  );
}
