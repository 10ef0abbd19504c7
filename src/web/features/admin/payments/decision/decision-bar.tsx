import { useState, type ReactNode } from "react";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { errors } from "#domain/errors/messages";
import { useShortcuts } from "../../../../platform/keyboard/shortcuts.ts";
import { Button } from "../../../../ui/button.tsx";
import { KeyHint } from "../../../../ui/key-hint.tsx";
import { Approve, type ApproveProps } from "./approve.tsx";
import { useReasons } from "./reasons.ts";
import { RejectDialog } from "./reject-dialog.tsx";

interface DecisionBarProps extends Pick<ApproveProps, "isMoneySeen" | "onMoneySeen"> {
  /** A pending one (DECIDE-5). */
  request: ReviewedPaymentRequest;
  /** Whether the admin made it, who cannot approve it then (ACCESS-4). */
  isByMe: boolean;
  onDecided: (decided: ReviewedPaymentRequest) => void;
}

/** The decision on a pending request: below the header on a wide screen, else at the bottom of the screen, in reach of a thumb. */
export function DecisionBar({ request, isByMe, onDecided, ...money }: DecisionBarProps): ReactNode {
  const [isRejecting, setRejecting] = useState(false);
  // Read before the dialog opens, which moves the focus to the first of them.
  useReasons();
  const reject = (
    <Button
      variant="danger"
      aria-label={`Reject the payment of ${request.email}`}
      aria-keyshortcuts="r"
      onClick={() => setRejecting(true)}
    >
      Reject
      <KeyHint>r</KeyHint>
    </Button>
  );
  useShortcuts({ r: () => setRejecting(true) });
  return (
    <div
      data-bottom-bar
      role="group"
      aria-label="Decision"
      className="z-20 grid items-center gap-3 border-line bg-surface py-3 max-lg:sticky max-lg:bottom-0 max-lg:order-last max-lg:-mx-4 max-lg:border-t max-lg:px-4 sm:max-lg:-mx-6 sm:max-lg:px-6 lg:sticky lg:top-[calc(4rem+var(--notice,0rem))] lg:flex lg:rounded-panel lg:border lg:px-5"
    >
      {isByMe && <p className="text-small text-muted lg:mr-auto">{errors.payment_request_own.text}</p>}
      {/* Without an account there is no tier to set (DECIDE-3). */}
      {isByMe || request.payer_tier === null ? (
        reject
      ) : (
        <Approve request={request} onApproved={onDecided} {...money}>
          {reject}
        </Approve>
      )}
      <RejectDialog request={request} isOpen={isRejecting} onRejected={onDecided} onClose={() => setRejecting(false)} />
    </div>
  );
}
