import { useState, type ReactNode } from "react";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { amountOnChain } from "#domain/evidence/chain-amount";
import { includesPackage } from "#domain/packages";
import { transferOf } from "#domain/payments/transfer";
import { Button } from "../../../../ui/button.tsx";
import { AcceptAmountDialog } from "./accept-amount-dialog.tsx";
import { AskRestDialog } from "./ask-rest-dialog.tsx";

interface PartActionsProps {
  request: ReviewedPaymentRequest;
  /** Stands for the pictures that a tick holds for (REVIEW-3). */
  tick: string;
  isMoneySeen: boolean;
  onApproved: (approved: ReviewedPaymentRequest) => void;
}

/** What else can be done with a pending payment of another amount than the one due (PART-1, PART-3). */
export function PartActions({ request, tick, isMoneySeen, onApproved }: PartActionsProps): ReactNode {
  const [opened, setOpened] = useState<"accept" | "ask">();
  // What had arrived and was ticked when the dialog was opened: more may arrive while the admin types.
  const [then, setThen] = useState({ received: "", ticked: "" });
  const transfer = transferOf(request);
  // Without an account there is no tier to set and nobody to ask.
  if (!transfer || request.payer_tier === null) return null;
  // Once a further part was sent, what was stated before is no longer all of it.
  const onChain = amountOnChain(request.evidence.find(({ kind }) => kind === "chain"));
  const received = (request.amount_received === null ? onChain : request.rest && request.amount_received) ?? "";
  const dialog = { request, transfer, onClose: () => setOpened(undefined) };
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {request.rest === null && !includesPackage(request.payer_tier, request.package_type) && (
        <Button
          variant="secondary"
          size="small"
          aria-label={`Ask for the rest of the payment of ${request.email}`}
          onClick={() => setOpened("ask")}
        >
          Ask for the rest
        </Button>
      )}
      <Button
        variant="link"
        size="small"
        aria-label={`Accept another amount of ${request.email}`}
        onClick={() => {
          setThen({ received, ticked: isMoneySeen ? tick : "" });
          setOpened("accept");
        }}
      >
        Accept another amount
      </Button>
      <AskRestDialog {...dialog} isOpen={opened === "ask"} />
      <AcceptAmountDialog
        key={`${then.received} ${then.ticked}`}
        {...dialog}
        {...then}
        {...{ tick, onApproved }}
        isOpen={opened === "accept"}
      />
    </div>
  );
}
