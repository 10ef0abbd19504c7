import type { SubmitEvent, ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import type { Quote } from "#domain/api/payments/quotes";
import type { ErrorCode } from "#domain/errors/messages";
import { ApprovalTime } from "../../../entities/payment-request/approval-time.tsx";
import { api } from "../../../platform/api.ts";
import { RenewalNotice } from "../quote/quote-notice.tsx";
import type { Renewal } from "../quote/use-quote.ts";
import { Step } from "../step.tsx";
import { PolicyLinks } from "./consent-box.tsx";
import { FormEnd } from "./form-end.tsx";
import { useSubmission } from "./use-submission.ts";

interface FreeFormProps {
  quote: Quote;
  renewal: Renewal | undefined;
  /** Displayed above the button: why the quote could not be renewed. */
  notRenewed: ReactNode;
  isQuoteLive: boolean;
  onQuoteOver: (code: ErrorCode) => void;
  onSubmitted: (request: PaymentRequest) => void;
}

/** Where nothing is left to pay: one button, without method, screenshot and reference (PAY-11). */
export function FreeForm({ quote, renewal, notRenewed, isQuoteLive, onQuoteOver, onSubmitted }: FreeFormProps): ReactNode {
  const submission = useSubmission({
    order: isQuoteLive ? { quoteId: quote.id, file: undefined } : undefined,
    call: ({ quoteId }, _uploadId, headersFor) => {
      const body = { quote_id: quoteId, consent: true as const };
      return api.paymentRequests.submit({ headers: headersFor(body), body });
    },
    onSubmitted,
    onQuoteOver,
    onFileRefused: () => {},
  });
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    submission.submit();
  };
  return (
    <Step
      number={2}
      title="Nothing left to pay"
      id="proof"
      tabIndex={-1}
      aria-label="Submit your payment"
      instruction={
        <>
          The whole price is covered: please send no money. We approve your request by hand, usually within 24 hours.{" "}
          <ApprovalTime />
        </>
      }
    >
      <form className="grid gap-4" onSubmit={send}>
        <RenewalNotice renewal={renewal} />
        {notRenewed}
        <p className="text-small text-muted">
          By submitting you confirm that you have read <PolicyLinks />.
        </p>
        <FormEnd submission={submission} isIncomplete={!isQuoteLive} />
      </form>
    </Step>
  );
}
