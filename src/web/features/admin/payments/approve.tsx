import type { ReactNode } from "react";
import type { ReviewedPaymentRequest } from "#domain/api/payment-requests";
import { errors } from "#domain/errors/messages";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { isDowngradeUnconfirmed, useApprove } from "./queries.ts";

/** Approves at a click, unless that would lower the student's tier: then it asks first (PACKAGE-3). */
export function ApproveButton({ request: { id, email } }: { request: ReviewedPaymentRequest }): ReactNode {
  const { mutate, isPending, variables, error, reset } = useApprove();
  const isConfirming = isPending && variables.confirmDowngrade;
  return (
    <>
      <Button
        size="small"
        className="min-h-11"
        aria-label={`Approve the payment of ${email}`}
        disabled={isPending}
        onClick={() => mutate({ id, confirmDowngrade: false })}
      >
        {isPending && <Spinner />}
        Approve
      </Button>
      <ConfirmDialog
        open={isDowngradeUnconfirmed(error) || isConfirming}
        title="This lowers the package"
        confirmLabel="Approve anyway"
        isDangerous
        isBusy={isPending}
        onConfirm={() => mutate({ id, confirmDowngrade: true })}
        onCancel={reset}
      >
        <p>{errors.downgrade_unconfirmed.text}</p>
        <p className="font-medium wrap-anywhere text-ink">{email}</p>
      </ConfirmDialog>
    </>
  );
}
