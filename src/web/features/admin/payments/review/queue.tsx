import { TriangleAlert } from "lucide-react";
import { useEffect, useRef, type MouseEvent, type ReactNode } from "react";
import { Link, useLocation } from "react-router";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { packages } from "#domain/packages";
import { amountText } from "#domain/payment-methods/methods";
import { nothingToPay, transferOf } from "#domain/payments/transfer";
import { dateTime, usd } from "../../../../platform/format.ts";
import { cx } from "../../../../ui/cx.ts";
import { EmailAddress } from "../../email-address.tsx";
import { ShowMore } from "../../show-more.tsx";
import { flagsOf } from "../decision/flags.tsx";
import { flagLabel } from "../evidence/labels.ts";
import { queueSearch } from "../filters.ts";
import type { QueuedRequest, useQueue } from "./use-queue.ts";

interface QueueProps extends ReturnType<typeof useQueue> {
  openId: string | undefined;
  /** Opens a request beside the queue; without it the links lead to its page. */
  onOpen?: ((id: string, scrolls: boolean) => void) | undefined;
}

/** The pending requests, the open one marked. */
export function Queue({ list, queue, area, openId, onOpen }: QueueProps): ReactNode {
  const open = (event: MouseEvent, id: string): void => {
    if (!onOpen || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    // Nothing moves away from the pointer; a click by the keyboard has no detail.
    onOpen(id, event.detail === 0);
  };
  return (
    <nav aria-label="Pending payment requests" {...area}>
      <ol className="grid gap-1">
        {queue.map((one) => (
          <QueueItem
            key={one.request.id}
            {...one}
            isOpen={one.request.id === openId}
            onClick={(event) => open(event, one.request.id)}
          />
        ))}
      </ol>
      <ShowMore list={list} />
    </nav>
  );
}

interface QueueItemProps extends QueuedRequest {
  isOpen: boolean;
  onClick: (event: MouseEvent) => void;
}

function QueueItem({ request, isGone, isOpen, onClick }: QueueItemProps): ReactNode {
  const link = useRef<HTMLAnchorElement>(null);
  const { search } = useLocation();
  const { id, full_name, email, package_type, amount_usd, created_at, payer_tier } = request;
  const transfer = transferOf(request);
  useEffect(() => {
    if (isOpen) link.current?.scrollIntoView({ block: "nearest", behavior: "instant" });
  }, [isOpen]);
  return (
    <li>
      <Link
        ref={link}
        to={{ pathname: `/admin/payments/${id}`, search: queueSearch(search) }}
        aria-current={isOpen ? "true" : undefined}
        onClick={onClick}
        className={cx(
          "grid gap-0.5 rounded-control border border-l-4 bg-surface px-3 py-2 text-small transition-colors hover:border-action",
          isOpen ? "border-action" : "border-line",
          isGone && "text-muted",
        )}
      >
        <span className="flex items-baseline justify-between gap-3">
          <span className="min-w-0 font-medium wrap-anywhere">{full_name}</span>
          <span className="figures font-medium whitespace-nowrap">{usd(amount_usd)}</span>
        </span>
        <span className="wrap-anywhere text-muted">
          <EmailAddress email={email} />
          {payer_tier === null && ", account deleted"}
        </span>
        <span className="figures text-muted">
          {packages[package_type].name}, {transfer ? amountText(transfer.crypto_type, transfer.amount_crypto) : nothingToPay}
        </span>
        {isGone ? <span>Decided</span> : <Flags request={request} />}
        <time dateTime={created_at} className="text-muted">
          {dateTime(created_at)}
        </time>
      </Link>
    </li>
  );
}

function Flags({ request }: { request: ReviewedPaymentRequest }): ReactNode {
  const flags = flagsOf(request);
  if (flags.length === 0) return null;
  return (
    <span className="flex gap-1.5 text-caution">
      <TriangleAlert aria-hidden className="mt-0.75 size-3.5 shrink-0" />
      {flags.map(flagLabel).join(", ")}
    </span>
  );
}
