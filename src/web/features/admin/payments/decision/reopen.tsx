import { useState, type ReactNode } from "react";
import { Reopening } from "#domain/api/payments/payment-inputs";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { ProductError, type ErrorCode } from "#domain/errors/messages";
import { api } from "../../../../platform/api.ts";
import { useForm } from "../../../../platform/form.ts";
import { reportError } from "../../../../platform/query/reported-error.ts";
import { Button } from "../../../../ui/button.tsx";
import { refreshAfterDecision, replaceRequest } from "../queries.ts";
import { sendDecision } from "./own-decisions.ts";
import { ReasonDialog } from "./reason-dialog.tsx";
import { useDraft } from "./use-draft.ts";

interface ReopenProps {
  /** A decided one. */
  request: ReviewedPaymentRequest;
  onReopened: (reopened: ReviewedPaymentRequest) => void;
}

const blank = { reason: "" };

const decisionGone: ReadonlySet<ErrorCode> = new Set(["payment_request_not_decided", "payment_request_decided_again"]);

/** Puts a decided request back to pending, with a reason that the student reads (REOPEN-1). */
export function Reopen({ request, onReopened }: ReopenProps): ReactNode {
  const { id, email, status, receipt_number, decided_at } = request;
  const [isOpen, setOpen] = useState(false);
  // Of the decision that the question is about, also where another takes its place while it is asked.
  const [asked, setAsked] = useState(decided_at);
  const [draft, keep] = useDraft(`reopening of ${id}`, blank);
  const form = useForm({
    initial: draft,
    schema: Reopening,
    mutationFn: ({ reason }) => {
      const body = { reason, decided_at: asked ?? undefined };
      return sendDecision(id, "pending", () => api.paymentRequests.reopen({ params: { id }, body }));
    },
    holdsEvents: true,
    onSuccess: async (reopened) => {
      replaceRequest(reopened);
      onReopened(reopened);
      form.replaceValues(blank);
      keep(blank);
      setOpen(false);
      await refreshAfterDecision();
    },
    onError: (error) => {
      // What was asked about is gone: the request is pending, or was decided again.
      if (error instanceof ProductError && decisionGone.has(error.code)) {
        reportError(error, "unexpected");
        close();
      }
      return refreshAfterDecision();
    },
  });
  const open = (): void => {
    setAsked(decided_at);
    setOpen(true);
  };
  // Escape is soon pressed, so what was typed stays.
  const close = (): void => {
    form.clear();
    keep(form.values);
    setOpen(false);
  };
  return (
    <>
      <Button variant="secondary" aria-label={`Reopen the payment of ${email}`} onClick={open}>
        Reopen
      </Button>
      <ReasonDialog
        open={isOpen}
        title="Reopen this payment"
        confirmLabel="Reopen payment"
        form={form}
        about={
          <>
            <p className="font-medium wrap-anywhere text-ink">{email}</p>
            <ul className="list-disc pl-5">
              <li>The request waits for your decision again.</li>
              {status === "approved" && (
                <>
                  <li>The package goes back to what it was before, unless it has been changed since.</li>
                  <li>Receipt {receipt_number} is cancelled, and its number is never used again.</li>
                </>
              )}
              <li>The student is told by mail, with your reason.</li>
            </ul>
          </>
        }
        onCancel={close}
      />
    </>
  );
}
