import { useRef, useState, type SubmitEvent, type ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payment-requests";
import type { Quote } from "#domain/api/quotes";
import type { CryptoType } from "#domain/payment-methods/methods";
import { texts } from "#domain/texts/texts";
import { useMe } from "../../../entities/session/session.tsx";
import { api } from "../../../platform/api.ts";
import { refusal } from "../../../platform/errors.ts";
import { forgetKeptState, useKeptState } from "../../../platform/kept-state.ts";
import { Banner } from "../../../ui/banner.tsx";
import { Button } from "../../../ui/button.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { UploadProgress } from "../../../ui/upload-progress.tsx";
import { ApprovalTime } from "../../../entities/payment-request/approval-time.tsx";
import { Step } from "../step.tsx";
import { ConsentBox } from "./consent-box.tsx";
import { PaidEarlier, SentSum, usePaidEarlier } from "./paid-earlier.tsx";
import { isNothingLeft } from "../quote/price-lines.tsx";
import { RenewalNotice } from "../quote/quote-notice.tsx";
import { ReferenceField, referenceProblem } from "./reference-field.tsx";
import { ScreenshotField } from "./screenshot-field.tsx";
import type { Renewal } from "../quote/use-quote.ts";
import { useSubmission, type Order, type SubmissionOptions } from "./use-submission.ts";

interface SubmitFormProps {
  quote: Quote;
  method: Quote["methods"][number] | undefined;
  renewal: Renewal | undefined;
  /** Displayed above the button: why the quote could not be renewed. */
  notRenewed: ReactNode;
  /** False while the amounts are being renewed, so that only displayed amounts are submitted. */
  isQuoteLive: boolean;
  onQuoteOver: () => void;
  onSubmitted: (request: PaymentRequest) => void;
}

export function SubmitForm(props: SubmitFormProps): ReactNode {
  const { quote, method, renewal, notRenewed, isQuoteLive, onQuoteOver, onSubmitted } = props;
  const { max_upload_bytes } = useMe();
  const place = `payment of ${quote.package_type}`;
  const [file, setFile] = useKeptState<File | undefined>(`${place}: file`, undefined);
  const [fileError, setFileError] = useState<string>();
  const [reference, setReference] = useKeptState(`${place}: reference`, "");
  // Checked once the student has left the field, not while they type.
  const [isReferenceDone, setReferenceDone] = useState(false);
  const referenceError = isReferenceDone && method ? referenceProblem(method.crypto_type, reference) : undefined;
  const [hasConsent, setConsent] = useKeptState(`${place}: consent`, false);
  const [consentError, setConsentError] = useState<string>();
  const referenceField = useRef<HTMLInputElement>(null);
  const earlier = usePaidEarlier(quote, method);
  // Where nothing is left to pay, only an earlier payment is a reason for this form.
  const isFree = isNothingLeft(quote);
  const isUnclaimed = isFree && !earlier.claimed;
  const changeFile = (chosen: File | undefined, problem?: string): void => {
    setFile(chosen);
    setFileError(problem);
  };
  const { isBusy, upload, error, offersHelp, clearError, submit } = useSubmission({
    order:
      file && method && hasConsent && isQuoteLive && !isUnclaimed
        ? { quoteId: quote.id, method: method.crypto_type, paidQuoteId: earlier.claimed?.quoteId, file, reference }
        : undefined,
    call: submitOrder,
    onSubmitted: (request) => {
      forgetKeptState();
      onSubmitted(request);
    },
    onQuoteOver,
    onFileRefused: (problem) => changeFile(undefined, problem),
  });

  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isBusy || !isQuoteLive) return;
    if (!file) return setFileError(refusal("screenshot_missing").message);
    if (!hasConsent) return setConsentError(refusal("consent_missing").message);
    if (!method) return;
    setReferenceDone(true);
    if (referenceProblem(method.crypto_type, reference) !== undefined) {
      refusal("reference_invalid");
      return referenceField.current?.focus();
    }
    submit();
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
        <ScreenshotField
          file={file}
          error={fileError}
          disabled={isBusy}
          maxBytes={max_upload_bytes["payment-screenshots"]}
          onChange={(chosen, problem) => {
            clearError();
            changeFile(chosen, problem);
          }}
        />
        <ReferenceField
          ref={referenceField}
          method={method?.crypto_type}
          value={reference}
          error={referenceError}
          disabled={isBusy}
          onChange={(text) => {
            clearError();
            setReference(text);
            setReferenceDone(false);
          }}
          onLeave={() => setReferenceDone(true)}
        />
        <ConsentBox
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
          isAskedOpenly={isFree || (renewal !== undefined && renewal.changes.length > 0)}
          disabled={isBusy}
        />
        {method && !isUnclaimed && (file ?? earlier.claimed) && <SentSum method={method} claimed={earlier.claimed} />}
        {error !== undefined && (
          <Banner tone="loss" offersHelp={offersHelp}>
            {error}
          </Banner>
        )}
        <UploadProgress
          label="Uploading the screenshot"
          value={upload.progress}
          onTryNow={upload.tryNow}
          onCancel={upload.cancel}
        />
        <Button type="submit" size="large" disabled={!file || !method || isBusy || !isQuoteLive || isUnclaimed}>
          {isBusy && <Spinner />}
          {isBusy ? "Submitting..." : texts.payment.submit}
        </Button>
        <p role="status" className="sr-only">
          {isBusy ? "Submitting your payment request" : ""}
        </p>
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
