import { useState, type ReactNode } from "react";
import type { ReviewedPaymentRequest } from "#domain/api/payment-requests";
import { ProductError } from "#domain/messages";
import { api } from "../../platform/api.ts";
import { queryClient, queryKeys } from "../../platform/query-client.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { useReportError } from "./error-reporter.ts";

/** Reads both lists again: an approval changes a request and a tier. */
export async function refreshAfterDecision(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: queryKeys.paymentRequests }),
    queryClient.invalidateQueries({ queryKey: queryKeys.users }),
  ]);
}

/** Approves at a click, unless that would take a package away: then it asks first (decisions 3). */
export function ApproveButton({ request }: { request: ReviewedPaymentRequest }): ReactNode {
  const report = useReportError();
  const [isBusy, setBusy] = useState(false);
  const [warning, setWarning] = useState<string>();

  const approve = async (isConfirmed: boolean): Promise<void> => {
    setBusy(true);
    try {
      await api.paymentRequests.approve({
        params: { id: request.id },
        body: isConfirmed ? { confirm_downgrade: true } : {},
      });
      setWarning(undefined);
      await refreshAfterDecision();
    } catch (thrown) {
      if (thrown instanceof ProductError && thrown.code === "downgrade_unconfirmed") {
        setWarning(thrown.message);
        return;
      }
      setWarning(undefined);
      report(thrown, "unexpected");
      // Someone else may have decided meanwhile.
      await refreshAfterDecision();
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <Button size="small" className="min-h-11" disabled={isBusy} onClick={() => void approve(false)}>
        {isBusy && <Spinner />}
        Approve
      </Button>
      <ConfirmDialog
        open={warning !== undefined}
        title="This lowers the package"
        confirmLabel="Approve anyway"
        isDangerous
        isBusy={isBusy}
        onConfirm={() => void approve(true)}
        onCancel={() => setWarning(undefined)}
      >
        <p>{warning}</p>
        <p className="font-medium wrap-anywhere text-ink">{request.email}</p>
      </ConfirmDialog>
    </>
  );
}
