import { ArrowLeft } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useLocation, useNavigate, useParams } from "react-router";
import { errors } from "#domain/errors/messages";
import { texts } from "#domain/texts/texts";
import { useReportedError } from "../../../../platform/query/reported-error.ts";
import { useTitle } from "../../../../platform/site.ts";
import { ButtonLink } from "../../../../ui/button.tsx";
import { NotThere } from "../../../../ui/not-there.tsx";
import { PageLoading } from "../../../../ui/spinner.tsx";
import { AdminFrame } from "../../frame.tsx";
import { useListFilters } from "../../list/use-list-filters.ts";
import { ReportedError } from "../../reported-error.tsx";
import { contractFilter, paymentFilters, queueSearch } from "../filters.ts";
import { Review } from "../review/review.tsx";
import { ShortcutHelp } from "../review/shortcut-help.tsx";
import { usePaymentRequest } from "./queries.ts";

/** The page of one payment request, with the queue at its side where there is room (EVIDENCE-4). */
export function PaymentRequestPage(): ReactNode {
  const { id = "" } = useParams();
  const navigate = useNavigate();
  const [filters] = useListFilters(paymentFilters);
  const search = queueSearch(useLocation().search);
  const allPayments = `/admin?tab=payments${search && `&${search}`}`;
  const request = usePaymentRequest(id);
  const error = useReportedError();
  const [isOpen, setOpen] = useState(false);
  if (request.data && !isOpen) setOpen(true);
  useTitle(request.data ? `Payment of ${request.data.email}` : "Payment request");
  // Once one is open, the review says in place what became of another.
  if (!isOpen && request.isPending) return <PageLoading text={texts.admin.loading} />;
  if (!isOpen && !request.data)
    return (
      <NotThere
        error={request.error}
        missing={errors.payment_request_not_found.text}
        retry={() => void request.refetch()}
        titles={{ missing: "No payment request here", notLoaded: "The payment request could not be loaded" }}
        backTo={allPayments}
        backLabel="All payments"
      />
    );
  return (
    <AdminFrame>
      <div className="grid grid-cols-1 gap-4">
        <ReportedError error={error} />
        <div className="flex flex-wrap items-center justify-between gap-2">
          <ButtonLink to={allPayments} variant="quiet" size="small" className="-ml-3">
            <ArrowLeft aria-hidden className="size-4" />
            All payments
          </ButtonLink>
          <ShortcutHelp hasSearch={false} />
        </div>
        <Review
          filter={contractFilter(filters)}
          isPage
          openId={id}
          onOpen={(next) =>
            void navigate(next === undefined ? allPayments : { pathname: `/admin/payments/${next}`, search }, { replace: true })
          }
        />
      </div>
    </AdminFrame>
  );
}
