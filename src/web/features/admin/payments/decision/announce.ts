import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { packages } from "#domain/packages";
import { api } from "../../../../platform/api.ts";
import { usd } from "../../../../platform/format.ts";
import { reportError } from "../../../../platform/query/reported-error.ts";
import { toast } from "../../../../ui/toast.tsx";
import { refreshAfterDecision, replaceRequest } from "../queries.ts";
import { sendDecision } from "./own-decisions.ts";

/** The student reads it, since a decision's mail may have been sent. */
const undoReason = "The decision was made by mistake and was undone at once.";

/**
 * Says what was decided and offers to undo it, once; returns what undoes it for as long as that is displayed (REVIEW-5). `onUndo` is called when
 * that begins, what it returns once it is done. Errors are reported.
 */
export function announceDecision(
  decided: ReviewedPaymentRequest,
  onUndo: () => (reopened: ReviewedPaymentRequest) => void,
): () => void {
  const { id, email, status, package_type, amount_usd, decided_at } = decided;
  let isOffered = true;
  let isUndone = false;
  const undo = async (): Promise<void> => {
    const onUndone = onUndo();
    try {
      const body = { reason: undoReason, decided_at: decided_at ?? undefined };
      const reopened = await sendDecision(id, "pending", () => api.paymentRequests.reopen({ params: { id }, body }));
      replaceRequest(reopened);
      onUndone(reopened);
    } catch (error) {
      isUndone = false;
      reportError(error, "unexpected");
    }
    await refreshAfterDecision();
  };
  const run = (): void => {
    if (!isUndone) void undo();
    isUndone = true;
  };
  const close = toast({
    title: `${status === "approved" ? "Approved" : "Rejected"}: ${email}`,
    description: `${packages[package_type].name}, ${usd(amount_usd)} USD`,
    action: { label: "Undo", run },
    onClose: () => (isOffered = false),
  });
  return () => {
    if (!isOffered) return;
    close();
    run();
  };
}
