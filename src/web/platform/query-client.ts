import { QueryClient } from "@tanstack/react-query";
import { isPassing } from "./errors.ts";

/** The names under which answers are kept; an event of the server makes some of them stale. */
export const queryKeys = {
  me: ["me"],
  videos: ["videos"],
  myRequests: ["my-requests"],
  receipts: ["receipts"],
  approvalTime: ["approval-time"],
  upgradeOffer: ["upgrade-offer"],
  users: ["users"],
  paymentRequests: ["payment-requests"],
  walletSettings: ["wallet-settings"],
  coupons: ["coupons"],
} as const;

/** Reads are tried again when that may help; writes never, since only the person knows whether to. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < 2 && isPassing(error),
    },
    mutations: { networkMode: "always", retry: false },
  },
});
