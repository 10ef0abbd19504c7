import { useRef, useState, type SubmitEvent, type ReactNode } from "react";
import * as z from "zod/mini";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import type { Quote } from "#domain/api/payments/quotes";
import type { ErrorCode } from "#domain/errors/messages";
import type { CryptoType, QuotedMethod } from "#domain/payment-methods/methods";
import { api } from "../../../platform/api.ts";
import { refusal } from "../../../platform/errors.ts";
import { useKeptState } from "../../../platform/kept-state.ts";
import { ApprovalTime } from "../../../entities/payment-request/approval-time.tsx";
import { Step } from "../step.tsx";
import { ConsentBox } from "./consent-box.tsx";
import { FormEnd } from "./form-end.tsx";
import { PaidEarlier, SentSum, usePaidEarlier } from "./paid-earlier.tsx";
import { isNothingLeft } from "../quote/price-lines.tsx";
import { RenewalNotice } from "../quote/quote-notice.tsx";
import { ProofFields, useProof } from "./proof.tsx";
import type { Renewal } from "../quote/use-quote.ts";
import { useSubmission, type Order, type SubmissionOptions } from "./use-submission.ts";

interface SubmitFormProps {
  quote: Quote;
  method: QuotedMethod | undefined;
  renewal: Renewal | undefined;
  /** Displayed above the button: why the quote could not be renewed. */
  notRenewed: ReactNode;
  /** False while the amounts are being renewed, so that only displayed amounts are submitted. */
  isQuoteLive: boolean;
  onQuoteOver: (code: ErrorCode) => void;
  onSubmitted: (request: PaymentRequest) => void;
}

export function SubmitForm(props: SubmitFormProps): ReactNode {
  const { quote, method, renewal, notRenewed, isQuoteLive, onQuoteOver, onSubmitted } = props;
  const place = `payment of ${quote.package_type}`;
  const proof = useProof(place, method?.crypto_type);
  const { file, reference } = proof;
  const [hasConsent, setConsent] = useKeptState(`${place}: consent`, false, z.boolean());
  const [consentError, setConsentError] = useState<string>();
  const consentBox = useRef<HTMLInputElement>(null);
  const earlier = usePaidEarlier(quote, method);
  const isFree = isNothingLeft(quote);
  // Where nothing is left to pay, or the method was removed, only an earlier payment is a reason for this form.
  const isForEarlier = isFree || method?.available === false;
  const isUnclaimed = isForEarlier && !earlier.claimed;
  const submission = useSubmission({
    order:
      file && method && hasConsent && isQuoteLive && !isUnclaimed
        ? { quoteId: quote.id, method: method.crypto_type, paidQuoteId: earlier.claimed?.quoteId, file, reference }
        : undefined,
    call: submitOrder,
    onSubmitted,
    onQuoteOver,
    onFileRefused: (problem) => proof.changeFile(undefined, problem),
  });
  const { isBusy } = submission;

  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isBusy || !isQuoteLive) return;
    if (!file) return proof.changeFile(undefined, refusal("screenshot_missing").message);
    if (!hasConsent) {
      setConsentError(refusal("consent_missing").message);
      return consentBox.current?.focus();
    }
    if (!method) return;
    if (proof.checkReference()) submission.submit();
  };

  return (
    <Step
      number={isFree ? 2 : 3}
      title="Upload your screenshot"
      id="proof"
      tabIndex={-1}
      className="md:max-xl:col-span-2"
      aria-label="Submit your payment"
      instruction={
        <>
          Then wait for manual approval, usually within 24 hours. <ApprovalTime />
        </>
      }
    >
      <form className="grid gap-5" onSubmit={send} noValidate>
        <ProofFields proof={proof} disabled={isBusy} onEdit={submission.clearError} />
        <ConsentBox
          ref={consentBox}
          isGiven={hasConsent}
          error={consentError}
          disabled={isBusy}
          onChange={(isGiven) => {
            setConsent(isGiven);
            setConsentError(undefined);
          }}
        />
        <RenewalNotice renewal={renewal} />
        {notRenewed}
        <PaidEarlier
          state={earlier}
          isAskedOpenly={isForEarlier || (renewal !== undefined && renewal.changes.length > 0)}
          disabled={isBusy}
        />
        {method && !isUnclaimed && (file ?? earlier.claimed) && <SentSum method={method} claimed={earlier.claimed} />}
        <FormEnd submission={submission} isIncomplete={!file || !method || !isQuoteLive || isUnclaimed} />
      </form>
    </Step>
  );
}

interface PaymentOrder extends Order {
  quoteId: string;
  method: CryptoType;
  /** The earlier quote by whose figures the student says they have paid. */
  paidQuoteId: string | undefined;
  reference: string;
}

const submitOrder: SubmissionOptions<PaymentOrder>["call"] = (order, uploadId, headersFor) => {
  const reference = order.reference.trim();
  const body = {
    quote_id: order.quoteId,
    crypto_type: order.method,
    upload_id: uploadId ?? "",
    consent: true as const,
    ...(reference === "" ? {} : { reference }),
    ...(order.paidQuoteId === undefined ? {} : { paid_quote_id: order.paidQuoteId }),
  };
  return api.paymentRequests.submit({ headers: headersFor(body), body });
};
