import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { PaymentRequestDetail } from "#domain/api/payments/payment-requests";
import { api } from "../../../../platform/api.ts";
import { replaceData } from "../../../../platform/query/replace-data.ts";
import { Button } from "../../../../ui/button.tsx";
import { paymentRequestOptions } from "./queries.ts";

/** Has the chain looked at again now (CHAIN-7). Nothing is rendered where there is no chain to look at. */
export function CheckAgain({ request: { id, email, evidence } }: { request: PaymentRequestDetail }): ReactNode {
  const check = useMutation({
    mutationFn: () => api.paymentRequests.check({ params: { id } }),
    onSuccess: (checked) => replaceData<PaymentRequestDetail>(paymentRequestOptions(id), () => checked),
    meta: { reportAs: "unexpected" },
  });
  if (!evidence.some(({ kind, verdict }) => kind === "chain" && verdict !== "off")) return null;
  return (
    <Button
      variant="secondary"
      size="small"
      aria-label={`Check again for the payment of ${email}`}
      disabled={check.isPending}
      onClick={() => check.mutate()}
    >
      {check.isPending ? "Checking…" : "Check again"}
    </Button>
  );
}
