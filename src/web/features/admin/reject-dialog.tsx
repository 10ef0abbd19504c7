import { useState, type ReactNode } from "react";
import type { ReviewedPaymentRequest } from "#domain/api/payment-requests";
import { ProductError } from "#domain/messages";
import { maxReasonLength } from "#domain/payment-request";
import { api } from "../../platform/api.ts";
import { messageOf, refusal } from "../../platform/errors.ts";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { TextArea } from "../../ui/field.tsx";
import { refreshAfterDecision } from "./approve.tsx";
import { useReportError } from "./error-reporter.ts";

interface RejectDialogProps {
  request: ReviewedPaymentRequest | undefined;
  onClose: () => void;
}

/** A rejection carries a reason, which the student reads (decisions 10). */
export function RejectDialog({ request, onClose }: RejectDialogProps): ReactNode {
  const report = useReportError();
  const [reason, setReason] = useState("");
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const close = (): void => {
    setReason("");
    setError(undefined);
    onClose();
  };
  const reject = async (): Promise<void> => {
    if (!request) return;
    if (reason.trim() === "") return setError(refusal("reason_missing"));
    setBusy(true);
    setError(undefined);
    try {
      await api.paymentRequests.reject({ params: { id: request.id }, body: { reason } });
      await refreshAfterDecision();
      close();
    } catch (thrown) {
      if (thrown instanceof ProductError && thrown.code === "payment_request_decided") {
        report(thrown, "unexpected");
        close();
        await refreshAfterDecision();
      } else setError(messageOf(thrown, "unexpected"));
    } finally {
      setBusy(false);
    }
  };

  return (
    <ConfirmDialog
      open={request !== undefined}
      title="Reject this payment"
      confirmLabel="Reject payment"
      isDangerous
      isBusy={isBusy}
      onConfirm={() => void reject()}
      onCancel={close}
    >
      <p>
        The student sees the reason and can submit again.{" "}
        <span className="font-medium wrap-anywhere text-ink">{request?.email}</span>
      </p>
      <div className="text-ink">
        <TextArea
          label="Reason"
          name="reason"
          maxLength={maxReasonLength}
          required
          disabled={isBusy}
          error={error}
          value={reason}
          onChange={(event) => {
            setReason(event.target.value);
            setError(undefined);
          }}
        />
      </div>
    </ConfirmDialog>
  );
}
