import type { SubmitEvent, ReactNode } from "react";
import * as z from "zod/mini";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { paymentMethod } from "#domain/payment-methods/methods";
import { refusal } from "../../../platform/errors.ts";
import { api } from "../../../platform/api.ts";
import { useKeptState } from "../../../platform/kept-state.ts";
import { Checkbox } from "../../../ui/field.tsx";
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
        <RestForm key={rest.asked_at} request={request} rest={rest} onSubmitted={onSubmitted} />
      </div>
    </>
  );
}

interface RestOrder extends Order {
  id: string;
  reference: string;
  /** The destination that the page displays. */
  destination: string;
  /** The former one that the student has already used instead. */
  paidFormer: string | undefined;
}

function RestForm({ request, rest: { method, former_destinations }, onSubmitted }: PayRestProps): ReactNode {
  const { id, crypto_type, parts } = request;
  const part = `rest ${parts.length + 1} of ${id}`;
  const proof = useProof(part, crypto_type ?? undefined);
  const { file, reference } = proof;
  const [claimed, claim] = useKeptState<string | undefined>(`${part}: paid former`, undefined, z.string());
  const paidFormer = former_destinations.find((one) => one === claimed);
  const submission = useSubmission<RestOrder>({
    order: file && { id, file, reference: reference.trim(), destination: method.wallet_address, paidFormer },
    call: (order, uploadId, headersFor) => {
      const body = {
        upload_id: uploadId ?? "",
        ...(order.reference === "" ? {} : { reference: order.reference }),
        wallet_address: order.destination,
        ...(order.paidFormer === undefined ? {} : { paid_wallet_address: order.paidFormer }),
      };
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
      <PanelTitle>Upload the screenshot of the rest</PanelTitle>
      <form className="grid gap-5" onSubmit={send} noValidate>
        <ProofFields
          proof={proof}
          screenshotLabel="Choose the screenshot of the rest"
          disabled={submission.isBusy}
          onEdit={submission.clearError}
        />
        {former_destinations.map((former) => (
          <Checkbox
            key={former}
            name="paid-former"
            checked={former === paidFormer}
            disabled={submission.isBusy}
            onChange={(event) => {
              submission.clearError();
              claim(event.target.checked ? former : undefined);
            }}
            label={
              <>
                I have already sent the rest to the former {paymentMethod(method.crypto_type).destinationName}
                <span className="block font-figures break-all text-muted" translate="no">
                  {former}
                </span>
              </>
            }
          />
        ))}
        <FormEnd submission={submission} isIncomplete={!file} label="Send the rest" />
      </form>
    </Panel>
  );
}
