import { useRef, useState, type ReactNode } from "react";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { fieldTexts } from "#domain/errors/field-texts";
import { errors } from "#domain/errors/messages";
import { useShortcuts } from "../../../../platform/keyboard/shortcuts.ts";
import { Button } from "../../../../ui/button.tsx";
import { ConfirmDialog } from "../../../../ui/dialog.tsx";
import { KeyHint } from "../../../../ui/key-hint.tsx";
import { isDowngradeUnconfirmed, useApprove } from "../queries.ts";
import { FlagList, flagsOf } from "./flags.tsx";
import { MoneySeen } from "./money-seen.tsx";

export interface ApproveProps {
  request: ReviewedPaymentRequest;
  /** Whether the tick is set for this request with these pictures (REVIEW-3). */
  isMoneySeen: boolean;
  onMoneySeen: (isSeen: boolean) => void;
  onApproved: (approved: ReviewedPaymentRequest) => void;
  /** Stands between the tick and the button. */
  children: ReactNode;
}

/** Approves once the admin has ticked that the money is there; asks once more where something is flagged (REVIEW-4, PACKAGE-3). */
export function Approve({ request, isMoneySeen, onMoneySeen, onApproved, children }: ApproveProps): ReactNode {
  const { id, email, crypto_type } = request;
  const approve = useApprove(onApproved);
  const tick = useRef<HTMLInputElement>(null);
  const [isTickMissing, setTickMissing] = useState(false);
  const [isAsking, setAsking] = useState(false);
  // Where nothing was to be paid, no money can arrive (PAY-11).
  const needsTick = crypto_type !== null;
  const lowers = isDowngradeUnconfirmed(approve.error);
  const flags = flagsOf(request);

  const setSeen = (isSeen: boolean): void => {
    setTickMissing(false);
    onMoneySeen(isSeen);
  };
  const endQuestion = (): void => {
    setAsking(false);
    approve.reset();
  };
  const lacksTick = needsTick && !isMoneySeen;
  const send = (confirmDowngrade: boolean): void => {
    // A further part may have arrived while the question was open.
    if (lacksTick) {
      endQuestion();
      setTickMissing(true);
      tick.current?.focus();
    } else approve.mutate({ id, confirmDowngrade }, { onError: () => setAsking(false) });
  };
  const press = (): void => {
    if (approve.isPending) return;
    if (flags.length > 0 && !lacksTick) setAsking(true);
    else send(false);
  };
  useShortcuts({ a: press, t: needsTick ? () => setSeen(!isMoneySeen) : undefined });

  return (
    <>
      {needsTick && (
        <MoneySeen
          ref={tick}
          checked={isMoneySeen}
          aria-keyshortcuts="t"
          error={isTickMissing ? fieldTexts.tick_missing : undefined}
          onChange={({ target }) => setSeen(target.checked)}
        >
          {" "}
          <KeyHint>t</KeyHint>
        </MoneySeen>
      )}
      <div className="grid grid-cols-2 gap-2 lg:ml-auto lg:flex">
        {children}
        <Button
          aria-label={`Approve the payment of ${email}`}
          aria-keyshortcuts="a"
          isBusy={approve.isPending}
          onClick={press}
          className="lg:order-first"
        >
          Approve
          <KeyHint>a</KeyHint>
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking || lowers}
        title={titleOf(lowers || flags.every(({ kind }) => kind === "downgrade"))}
        confirmLabel="Approve anyway"
        isDangerous
        isBusy={approve.isPending}
        onConfirm={() => send(lowers || flags.some(({ kind }) => kind === "downgrade"))}
        onCancel={endQuestion}
      >
        <p className="font-medium wrap-anywhere text-ink">{email}</p>
        <FlagList flags={flags} />
        {lowers && <p>{errors.downgrade_unconfirmed.text}</p>}
      </ConfirmDialog>
    </>
  );
}

const titleOf = (isDowngradeAlone: boolean): string =>
  isDowngradeAlone ? "This lowers the package" : "Look again before you approve";
