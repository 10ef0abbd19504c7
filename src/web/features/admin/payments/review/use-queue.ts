import { useMemo } from "react";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { canDecide } from "#domain/payments/payment-request";
import { useHold } from "../../list/use-hold.ts";
import { useSteadyRows } from "../../list/use-steady-rows.ts";
import { usePaymentRequests, type PaymentFilter } from "../queries.ts";

/** A page of the queue: read again after each decision, so no longer than a screen or two. */
const pageSize = 25;

/** A request of the queue; `isGone` where it is no longer pending but must not move away yet. */
export interface QueuedRequest {
  request: ReviewedPaymentRequest;
  isGone: boolean;
}

/** Returns the pending requests that pass a filter. While one points at them no row moves: those decided stay, new ones join the end (REVIEW-6). */
export function useQueue(filter: PaymentFilter) {
  const list = usePaymentRequests({ ...filter, status: "pending", limit: pageSize });
  const hold = useHold();
  const source = JSON.stringify(filter);
  const pending = useMemo(() => (list.data ?? []).filter(({ status }) => canDecide(status)), [list.data]);
  const { rows } = useSteadyRows(pending, ({ id }) => id, { isHeld: hold.isHeld, source, addsAll: true });
  const queue = useMemo<QueuedRequest[]>(() => {
    const ids = new Set(pending.map(({ id }) => id));
    return rows.map((request) => ({ request, isGone: !ids.has(request.id) }));
  }, [rows, pending]);
  return { list, queue, area: hold.area };
}
