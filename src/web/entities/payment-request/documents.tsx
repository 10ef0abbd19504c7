import { ExternalLink, ReceiptText } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { packages } from "#domain/packages";
import { ActionError } from "../../ui/action-error.tsx";
import { useOpenScreenshot } from "./use-open-screenshot.ts";

const linkClass =
  "inline-flex min-h-11 items-center gap-1.5 rounded-control text-small lg:min-h-8 font-medium whitespace-nowrap text-action underline-offset-4 hover:underline";

/** Links to a request's receipt, once it is approved, and to its screenshot. */
export function Documents({ request }: { request: PaymentRequest }): ReactNode {
  const screenshot = useOpenScreenshot(request.id);
  if (request.receipt_number === null && request.screenshot_url === null) return null;
  return (
    <div className="grid">
      <div className="flex flex-wrap justify-end gap-x-5 lg:flex-col lg:items-start">
        {request.receipt_number !== null && (
          <Link to={`/student/receipts/${request.id}`} className={linkClass}>
            <ReceiptText aria-hidden className="size-3.5" />
            Receipt<span className="sr-only"> {request.receipt_number}</span>
          </Link>
        )}
        {request.screenshot_url !== null && (
          <button type="button" className={linkClass} onClick={() => screenshot.mutate()}>
            <ExternalLink aria-hidden className="size-3.5" />
            Screenshot
            <span className="sr-only"> of the {packages[request.package_type].name} payment</span>
          </button>
        )}
        {request.parts.map((part, index) => (
          <PartScreenshot key={part.id} request={request} partId={part.id} number={index + 2} />
        ))}
      </div>
      <ActionError error={screenshot.error} />
    </div>
  );
}

function PartScreenshot({ request, partId, number }: { request: PaymentRequest; partId: string; number: number }): ReactNode {
  const screenshot = useOpenScreenshot(request.id, partId);
  return (
    <>
      <button type="button" className={linkClass} onClick={() => screenshot.mutate()}>
        <ExternalLink aria-hidden className="size-3.5" />
        Screenshot {number}
        <span className="sr-only"> of the {packages[request.package_type].name} payment</span>
      </button>
      <ActionError error={screenshot.error} />
    </>
  );
}
