import { useEffect, useRef, useState, type ReactNode } from "react";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import type { PaymentStatus } from "#domain/payments/payment-request";
import { logError } from "../../../../platform/errors.ts";
import { queryClient } from "../../../../platform/query/query-client.ts";
import { useFurtherPage } from "../../../../platform/query/use-further-page.ts";
import { useShortcuts } from "../../../../platform/keyboard/shortcuts.ts";
import { Empty } from "../../../../ui/panel.tsx";
import { useMedia } from "../../../../ui/use-media.ts";
import { EmptyLoadError } from "../../empty-load-error.tsx";
import { TabLoading } from "../../tab-loading.tsx";
import { announceDecision } from "../decision/announce.ts";
import type { PaymentFilter } from "../queries.ts";
import { RequestPanel } from "../request/panel.tsx";
import { paymentRequestOptions, pictureOptions } from "../request/queries.ts";
import { Queue } from "./queue.tsx";
import { neighbour, nextToDecide } from "./queue-order.ts";
import { Steps } from "./steps.tsx";
import { useQueue, type QueuedRequest } from "./use-queue.ts";

interface ReviewProps {
  filter: PaymentFilter;
  /** The open request; without one the first of the queue. */
  openId: string | undefined;
  /** Without an id where nothing is left to decide. */
  onOpen: (id: string | undefined) => void;
  /** Whether this is the page of the open request, which a narrow screen displays without the queue. */
  isPage?: boolean;
}

/** The queue of pending requests beside the open one (REVIEW-1). */
export function Review({ filter, openId, onOpen, isPage = false }: ReviewProps): ReactNode {
  const isWide = useMedia("(width >= 64rem)");
  const { list, queue, area } = useQueue(filter);
  const order = queue.map(({ request: { id }, isGone }) => ({ id, status: isGone ? "decided" : "pending" }));
  const [first, setFirst] = useState<string>();
  // Once it is open it stays, also when it is decided elsewhere.
  const id = openId ?? first;
  const firstPending = neighbour(order, undefined, 1);
  if (id === undefined && firstPending !== undefined && (isWide || isPage)) setFirst(firstPending);
  const [focused, setFocused] = useState<{ id: string; scrolls: boolean }>();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [ownStatuses, setOwnStatuses] = useState<Readonly<Record<string, PaymentStatus | undefined>>>({});

  const open = (next: string | undefined, scrolls = true): void => {
    setFirst(undefined);
    if (next !== undefined) setFocused({ id: next, scrolls });
    // Opened anew, it has the status that it is displayed with.
    if (next !== undefined && next !== id) setOwnStatuses((before) => ({ ...before, [next]: undefined }));
    onOpen(next);
  };
  const step = (steps: 1 | -1) => (): void => {
    const next = neighbour(order, id, steps);
    if (next !== undefined) open(next);
  };
  // A reply may come late: the admin, who has gone on by then, stays there.
  const openNow = useRef(id);
  useEffect(() => {
    openNow.current = id;
    return () => void (openNow.current = undefined);
  }, [id]);
  const keepOwn = (request: ReviewedPaymentRequest): void =>
    setOwnStatuses((before) => ({ ...before, [request.id]: request.status }));
  const undo = useUndo();
  const decided = (request: ReviewedPaymentRequest): void => {
    keepOwn(request);
    undo.offer(request, () => {
      const from = openNow.current;
      return (reopened) => {
        keepOwn(reopened);
        const isAsked = document.querySelector("[role=alertdialog]") !== null;
        if (!isAsked && [from, request.id].includes(openNow.current)) open(request.id);
      };
    });
    if (openNow.current === request.id) open(nextToDecide(order, request.id));
  };
  useShortcuts({ j: step(1), k: step(-1), u: undo.run });
  const next = id === undefined ? undefined : nextToDecide(order, id);
  usePreloaded(queue, next);
  usePreloaded(queue, next === undefined ? undefined : neighbour(order, next, 1));
  useFurtherPage(list, order.length - order.findIndex((one) => one.id === id) < 5);

  if (list.isPending && !isPage) return <TabLoading />;
  const hasQueue = isWide || !isPage;
  const hasPanel = isWide || isPage;
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[18rem_minmax(0,1fr)]">
      {hasQueue && (
        <div className="grid grid-cols-1 gap-2 lg:sticky lg:top-[calc(5rem+var(--notice,0rem))] lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto lg:p-0.5">
          {list.isLoadingError ? (
            <EmptyLoadError what="payment requests" retry={() => void list.refetch()} />
          ) : queue.length === 0 ? (
            <Empty title="No payment request is waiting">A new one appears here at once.</Empty>
          ) : (
            <Queue
              list={list}
              queue={queue}
              area={area}
              openId={hasPanel ? id : undefined}
              onOpen={hasPanel ? open : undefined}
            />
          )}
        </div>
      )}
      {hasPanel && id !== undefined && (
        <RequestPanel
          key={id}
          id={id}
          isPage={isPage}
          focusOn={focused?.id === id ? focused : undefined}
          ticked={ticked}
          onTick={setTicked}
          ownStatus={ownStatuses[id]}
          onDecided={decided}
          onReopened={keepOwn}
          onNext={() => open(next)}
          steps={<Steps order={order} id={id} hasMore={list.hasNextPage} onStep={step} />}
        />
      )}
    </div>
  );
}

/** Offers to undo the newest decision, by its toast and by a key. */
function useUndo() {
  const newest = useRef<() => void>(undefined);
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => void (isMounted.current = false);
  }, []);
  return {
    offer: (request: ReviewedPaymentRequest, onUndo: () => (reopened: ReviewedPaymentRequest) => void): void => {
      newest.current = announceDecision(request, () => {
        const onUndone = onUndo();
        return (reopened) => isMounted.current && onUndone(reopened);
      });
    },
    run: (): void => newest.current?.(),
  };
}

/** Reads a request of the queue and its picture, if it has one, before they are opened. */
function usePreloaded(queue: readonly QueuedRequest[], id: string | undefined): void {
  const hasPicture = queue.some(({ request }) => request.id === id && request.screenshot_url !== null);
  useEffect(() => {
    if (id === undefined) return;
    queryClient.query(paymentRequestOptions(id)).catch(logError);
    if (hasPicture) queryClient.query(pictureOptions(id)).catch(logError);
  }, [id, hasPicture]);
}
