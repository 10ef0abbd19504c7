import type { SubmitEvent, ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { useOpenScreenshot } from "../../../entities/payment-request/use-open-screenshot.ts";
import { api } from "../../../platform/api.ts";
import { ActionError } from "../../../ui/action-error.tsx";
import { Button } from "../../../ui/button.tsx";
import { Panel, PanelTitle } from "../../../ui/panel.tsx";
import { FormEnd } from "../submit/form-end.tsx";
import { ProofFields, useProof } from "../submit/proof.tsx";
import { useSubmission, type Order } from "../submit/use-submission.ts";

interface AgainFormProps {
  request: PaymentRequest;
  onSubmitted: (request: PaymentRequest) => void;
}

interface AgainOrder extends Order {
  id: string;
  reference: string;
}

/** Screenshot and reference as they were sent; either can be replaced, and nothing else is asked. */
export function AgainForm({ request, onSubmitted }: AgainFormProps): ReactNode {
  const { id, crypto_type } = request;
  const proof = useProof(`again ${id}`, crypto_type ?? undefined, request.reference ?? "");
  const { file, reference } = proof;
  const submission = useSubmission<AgainOrder>({
    order: { id, file, reference: reference.trim() },
    call: async (order, upload_id, headersFor) => {
      const body = {
        ...(crypto_type !== null && { reference: order.reference }),
        ...(upload_id === undefined ? {} : { upload_id }),
      };
      return api.paymentRequests.resubmit({ params: { id }, headers: headersFor(body), body });
    },
    onSubmitted,
    onFileRefused: (refused) => proof.changeFile(undefined, refused),
  });
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (proof.checkReference()) submission.submit();
  };

  return (
    <Panel aria-label="Submit your payment">
      <PanelTitle>{crypto_type === null ? "Submit it again" : "Fix what was refused"}</PanelTitle>
      <form className="grid gap-5" onSubmit={send} noValidate>
        {crypto_type !== null && (
          <>
            <SentScreenshot id={id} isReplaced={file !== undefined} />
            <ProofFields
              proof={proof}
              screenshotLabel="Choose another screenshot"
              disabled={submission.isBusy}
              onEdit={submission.clearError}
            />
          </>
        )}
        <FormEnd submission={submission} />
      </form>
    </Panel>
  );
}

/** The screenshot that was sent before, with a link to open it. */
function SentScreenshot({ id, isReplaced }: { id: string; isReplaced: boolean }): ReactNode {
  const screenshot = useOpenScreenshot(id);
  return (
    <div className="text-small">
      <p>
        <span>
          {isReplaced ? "The screenshot that you sent is replaced by this one." : "The screenshot that you sent is kept."}
        </span>{" "}
        <Button variant="link" size="compact" className="-mx-3" onClick={() => screenshot.mutate()}>
          Look at it<span className="sr-only">: the screenshot that you sent</span>
        </Button>
      </p>
      <ActionError error={screenshot.error} />
    </div>
  );
}
