import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import type { PaymentRequestDetail, ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { ProductError } from "#domain/errors/messages";
import { api } from "../../../platform/api.ts";
import { cursorPages, replaceInPages } from "../../../platform/query/pages.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { replaceData } from "../../../platform/query/replace-data.ts";
import { reportError } from "../../../platform/query/reported-error.ts";
import { usersKey } from "../users/queries.ts";
import { sendDecision } from "./decision/own-decisions.ts";

/** What the list can be filtered by, as the contract has it. */
export type PaymentFilter = Omit<Parameters<typeof api.paymentRequests.list>[0], "cursor">;

const listKey = ["payment-requests"];

export const paymentRequestsOptions = (filter: PaymentFilter) =>
  infiniteQueryOptions({
    queryKey: [...listKey, "list", filter],
    ...cursorPages((cursor) => api.paymentRequests.list({ ...filter, cursor })),
    meta: { staleAfter: ["profile", "payment-requests"], pauseMs: 1000, reportAs: "dashboard_load_failed" },
  });

/** Returns the payment requests that pass the filter, a page at a time. */
export const usePaymentRequests = (filter: PaymentFilter) => useInfiniteQuery(paymentRequestsOptions(filter));

/**
 * Puts a decided request into the lists and the panel that have it, and marks everything else that the decision may have changed as stale. What
 * is on the page is read again after the server's event, not while the next request comes up.
 */
export function replaceRequest(changed: ReviewedPaymentRequest): void {
  replaceInPages<ReviewedPaymentRequest>([...listKey, "list"], (one) => one.id === changed.id, changed);
  replaceData<PaymentRequestDetail>({ queryKey: [...listKey, changed.id] }, (detail) => ({ ...detail, ...changed }));
  void invalidateDecided("none");
}

/** Reads requests and users again, because an approval changes a request and a tier. */
export async function refreshAfterDecision(): Promise<void> {
  await invalidateDecided("active");
}

async function invalidateDecided(refetchType: "active" | "none"): Promise<void> {
  const changed = [listKey, usersKey];
  await Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey, refetchType })));
}

interface Approval {
  id: string;
  confirmDowngrade: boolean;
}

function approve({ id, confirmDowngrade }: Approval): Promise<ReviewedPaymentRequest> {
  const body = confirmDowngrade ? { confirm_downgrade: true } : {};
  return sendDecision(id, "approved", () => api.paymentRequests.approve({ params: { id }, body }));
}

/** Whether an approval was refused until the admin confirms that it lowers the student's tier. */
export function isDowngradeUnconfirmed(error: Error | null): boolean {
  return error instanceof ProductError && error.code === "downgrade_unconfirmed";
}

/**
 * Approves a request. Errors are reported, except `downgrade_unconfirmed`, which is a question to the admin. `onApproved` is called also when the
 * server's event came before the reply and has taken the question from the page.
 */
export const useApprove = (onApproved: (approved: ReviewedPaymentRequest) => void) =>
  useMutation({
    mutationFn: approve,
    onSuccess: (approved) => {
      replaceRequest(approved);
      onApproved(approved);
    },
    onError: (error) => {
      if (isDowngradeUnconfirmed(error)) return;
      reportError(error, "unexpected");
      // It may have been decided in another window.
      return refreshAfterDecision();
    },
    meta: { holdsEvents: true },
  });

export const pendingAddress = "/admin?tab=payments&status=pending";

const countsOptions = queryOptions({
  queryKey: ["payment-request-counts"],
  queryFn: () => api.paymentRequests.counts(),
  meta: { staleAfter: ["payment-requests"], pauseMs: 1000, reportAs: "dashboard_load_failed" },
});

/** Returns how many requests have each status. */
export const usePaymentCounts = () => useQuery(countsOptions);
