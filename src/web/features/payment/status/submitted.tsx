import { Check } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { includesPackage, packages } from "#domain/packages";
import { nothingToPay } from "#domain/payments/transfer";
import { texts } from "#domain/texts/texts";
import { dateTime } from "../../../platform/format.ts";
import { useTitle } from "../../../platform/site.ts";
import { Banner } from "../../../ui/banner.tsx";
import { Brand } from "../../../ui/brand.tsx";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { ContactLine } from "../../../ui/contact-line.tsx";
import { cx } from "../../../ui/cx.ts";
import { ThemeSwitch } from "../../../ui/theme-switch.tsx";
import { ApprovalTime } from "../../../entities/payment-request/approval-time.tsx";
import { RejectionBanner, SubmitAgainLabel } from "../../../entities/payment-request/rejection-banner.tsx";
import { sentAmount } from "../../../entities/payment-request/sent-amount.ts";
import { useMyRequests } from "../../../entities/payment-request/queries.ts";
import { useMe } from "../../../entities/session/session.tsx";
import { LogoutButton } from "../../../entities/session/account-actions.tsx";

const paymentCheck = { title: "We check the payment", text: "A person compares your screenshot with what has arrived." };
/** Where there was nothing to pay (PAY-11). */
const requestCheck = { title: "We check the request", text: "A person looks at it; there was nothing to pay." };
const laterSteps = [
  {
    title: "We unlock your package",
    text: "Your dashboard changes by itself. If something does not match, it tells you what.",
  },
  { title: "You start with lesson one", text: "Everything in your package is open from then on, at your own pace." },
];

const headings: Record<PaymentRequest["status"], string> = {
  pending: texts.payment.submitted,
  approved: "Payment approved",
  rejected: "Payment not approved",
};

const titles: typeof headings = { ...headings, pending: "Payment submitted" };

interface SubmittedProps {
  /** As first loaded; later changes of its status are read here. */
  request: PaymentRequest;
  onLeave: () => void;
}

/** Replaces the payment form: a pending request, of this tab or another, and later its decision. */
export function Submitted({ request: seen, onLeave }: SubmittedProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  const requests = useMyRequests().data;
  const request = requests?.find(({ id }) => id === seen.id) ?? seen;
  const { subscription_status: tier } = useMe();
  const isOwned = includesPackage(tier, request.package_type);
  const maySubmitAgain = request.status === "rejected" && !isOwned;
  useTitle(titles[request.status]);
  const former = requests?.find(({ id }) => id === request.resubmits);
  useEffect(() => {
    heading.current?.focus();
    scrollTo(0, 0);
  }, []);
  return (
    <main
      id="content"
      tabIndex={-1}
      className="outline-none mx-auto grid min-h-dvh max-w-xl content-start gap-8 px-5 py-8 sm:content-center sm:py-14"
    >
      <div className="flex items-center justify-between gap-4">
        <Brand />
        <div className="flex items-center gap-1">
          <ThemeSwitch />
          <LogoutButton label={texts.payment.logout} />
        </div>
      </div>
      <div>
        <h1 ref={heading} tabIndex={-1} className="text-heading outline-none">
          {headings[request.status]}
        </h1>
        <div role="status" className="mt-3">
          <Outcome {...{ request, isOwned }} followsPart={former !== undefined && former.amount_owed !== null} />
        </div>
      </div>
      {(request.status === "approved" || (request.status === "pending" && !isOwned)) && (
        <section aria-labelledby="what-next">
          <h2 id="what-next" className="mb-4 text-title">
            {texts.payment.whatNext}
          </h2>
          <Steps isFree={request.crypto_type === null} done={request.status === "approved" ? 2 : 0} />
        </section>
      )}
      <div className="grid gap-3">
        {maySubmitAgain && (
          <Button size="large" onClick={onLeave}>
            <SubmitAgainLabel request={request} />
          </Button>
        )}
        <ButtonLink to="/student" size="large" variant={maySubmitAgain ? "secondary" : "primary"}>
          {texts.payment.returnToDashboard}
        </ButtonLink>
      </div>
      <ContactLine>Questions? Write to</ContactLine>
    </main>
  );
}

interface OutcomeProps {
  request: PaymentRequest;
  /** Whether the student has the package, of a pending request by the admin's hand. */
  isOwned: boolean;
  /** Whether it was submitted again because only a part had arrived: then nobody knows yet whether the rest has. */
  followsPart: boolean;
}

/** Rendered in a live region, so that an approval is announced. */
function Outcome({ request, isOwned, followsPart }: OutcomeProps): ReactNode {
  const { name } = packages[request.package_type];
  if (request.status === "approved") {
    return (
      <Banner tone="gain" isAnnounced={false} title={`Approved: your ${name} package is unlocked`}>
        <p>
          Everything in it is open on your dashboard. The receipt has the number{" "}
          <span translate="no">{request.receipt_number}</span>.
        </p>
        <ButtonLink to={`/student/receipts/${request.id}`} variant="link" size="small" className="-mx-3 -mb-1">
          See the receipt
        </ButtonLink>
      </Banner>
    );
  }
  if (request.status === "rejected") return <RejectionBanner request={request} isAnnounced={false} />;
  if (isOwned) {
    return (
      <Banner tone="gain" isAnnounced={false} title={`Your ${name} package is unlocked`}>
        <p>Everything in it is open on your dashboard, and there is nothing more to pay.</p>
      </Banner>
    );
  }
  const isFree = request.crypto_type === null;
  return (
    <p className="text-muted">
      Our team will review your {isFree ? "request" : "screenshot"} and approve your access within 24 hours. <ApprovalTime />
      <span className="mt-2 block">
        {name} package,{" "}
        {!isFree && (
          <>
            <span className="figures" translate="no">
              {sentAmount(request)}
            </span>
            ,{" "}
          </>
        )}
        submitted {dateTime(request.created_at)}. {endOf(isFree, followsPart)}
      </span>
    </p>
  );
}

function endOf(isFree: boolean, followsPart: boolean): string {
  if (isFree) return `${nothingToPay}.`;
  return followsPart ? "We check whether the rest has arrived." : "There is nothing more to pay.";
}

function Steps({ isFree, done }: { isFree: boolean; done: number }): ReactNode {
  const steps = [isFree ? requestCheck : paymentCheck, ...laterSteps];
  return (
    <ol className="border-t border-line">
      {steps.map(({ title, text }, index) => (
        <li key={title} className="grid grid-cols-[2.5rem_1fr] border-b border-line py-4">
          {index < done ? (
            <span className="flex h-6 items-center text-gain">
              <Check aria-hidden className="size-4.5" />
              <span className="sr-only">Done:</span>
            </span>
          ) : (
            <span aria-hidden className="figures text-small leading-6 text-action">
              {String(index + 1).padStart(2, "0")}
            </span>
          )}
          <div>
            <p className={cx("font-medium", index < done && "text-muted")}>{title}</p>
            <p className="text-small text-muted">{text}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
