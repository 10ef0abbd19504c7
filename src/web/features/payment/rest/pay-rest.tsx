import type { SubmitEvent, ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { refusal } from "../../../platform/errors.ts";
import { api } from "../../../platform/api.ts";
import { Panel, PanelTitle } from "../../../ui/panel.tsx";
import { FormEnd } from "../submit/form-end.tsx";
import { ProofFields, useProof } from "../submit/proof.tsx";
import { useSubmission, type Order } from "../submit/use-submission.ts";
import { RestDetails, type Rest } from "./rest-details.tsx";

interface PayRestProps {
  request: PaymentRequest;
  rest: Rest;
  onSubmitted: (request: PaymentRequest) => void;
}

/** Pays what is missing of a pending request: how much, where to, and a screenshot of it (PART-4). */
export function PayRest({ request, rest, onSubmitted }: PayRestProps): ReactNode {
  return (
    <>
      <p className="mt-2 mb-6 text-muted">
        A part of your payment has arrived. Send the rest, and we go on with the same request: it keeps its place.
      </p>
      <div className="grid items-start gap-6 md:grid-cols-2">
        <RestDetails request={request} rest={rest} />
        <RestForm request={request} onSubmitted={onSubmitted} />
      </div>
    </>
  );
}

interface RestOrder extends Order {
  id: string;
  reference: string;
}

function RestForm({ request, onSubmitted }: Omit<PayRestProps, "rest">): ReactNode {
  const { id, crypto_type, parts } = request;
  const proof = useProof(`rest ${parts.length + 1} of ${id}`, crypto_type ?? undefined);
  const { file, reference } = proof;
  const submission = useSubmission<RestOrder>({
    order: file && { id, file, reference: reference.trim() },
    call: (order, uploadId, headersFor) => {
      const body = { upload_id: uploadId ?? "", ...(order.reference === "" ? {} : { reference: order.reference }) };
      return api.paymentRequests.payRest({ params: { id }, headers: headersFor(body), body });
    },
    onSubmitted,
    onFileRefused: (refused) => proof.changeFile(undefined, refused),
  });
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!file) return proof.changeFile(undefined, refusal("screenshot_missing").message);
    if (proof.checkReference()) submission.submit();
  };
  return (
    <Panel id="proof" tabIndex={-1} aria-label="Submit your payment">
      <PanelTitle>Upload its screenshot</PanelTitle>
      <form className="grid gap-5" onSubmit={send} noValidate>
        <ProofFields
          proof={proof}
          screenshotLabel="Choose the screenshot of the rest"
          disabled={submission.isBusy}
          onEdit={submission.clearError}
        />
        <FormEnd submission={submission} isIncomplete={!file} />
      </form>
    </Panel>
  );
}
