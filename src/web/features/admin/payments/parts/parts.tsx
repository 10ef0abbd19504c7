import type { ReactNode } from "react";
import type { PaymentPart, ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { amountText, isSameDestination } from "#domain/payment-methods/methods";
import { Reference } from "../../../../entities/payment-request/reference.tsx";
import { useOpenScreenshot } from "../../../../entities/payment-request/use-open-screenshot.ts";
import { dateTime } from "../../../../platform/format.ts";
import { reportError } from "../../../../platform/query/reported-error.ts";
import { Button } from "../../../../ui/button.tsx";

/** The further parts of a payment, each with its screenshot, and the note about it (PART-2, PART-5). */
export function Parts({ request }: { request: ReviewedPaymentRequest }): ReactNode {
  return (
    <>
      {request.rest !== null && <p className="mt-1 text-small text-caution">The student was asked for the rest.</p>}
      {request.parts.length > 0 && (
        <ul className="mt-1 grid gap-2 text-small" aria-label={`Further parts of the payment of ${request.email}`}>
          {request.parts.map((part) => (
            <li key={part.id} className="border-l-2 border-line pl-2">
              <Part request={request} part={part} />
            </li>
          ))}
        </ul>
      )}
      {request.note !== null && <p className="mt-1 max-w-60 text-small wrap-anywhere text-muted">Note: {request.note}</p>}
    </>
  );
}

function Part({ request, part }: { request: ReviewedPaymentRequest; part: PaymentPart }): ReactNode {
  const { mutate } = useOpenScreenshot(request.id, part.id);
  const { crypto_type, email, wallet_address } = request;
  const isSamePlace = crypto_type !== null && isSameDestination(crypto_type, part.wallet_address, wallet_address ?? "");
  const asked = crypto_type === null ? part.amount_asked : amountText(crypto_type, part.amount_asked);
  return (
    <>
      Rest of <span className="figures whitespace-nowrap">{asked}</span>, sent{" "}
      <time dateTime={part.submitted_at}>{dateTime(part.submitted_at)}</time>
      {!isSamePlace && (
        <span className="block">
          To <span className="font-figures break-all">{part.wallet_address}</span>
        </span>
      )}
      {part.reference !== null && (
        <span className="block text-muted">
          Reference: <Reference request={{ crypto_type, reference: part.reference }} />
        </span>
      )}
      <div>
        <Button
          variant="link"
          size="small"
          className="-mx-3"
          aria-label={`View screenshot of the rest of ${asked} of ${email}`}
          onClick={() => mutate(undefined, { onError: (error) => reportError(error, "unexpected") })}
        >
          View screenshot
        </Button>
      </div>
    </>
  );
}
