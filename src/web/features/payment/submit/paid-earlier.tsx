import { useState, type ReactNode } from "react";
import * as z from "zod/mini";
import type { Quote } from "#domain/api/payments/quotes";
import { amountText, paymentMethod, type QuotedMethod } from "#domain/payment-methods/methods";
import { dateTime, shortened } from "../../../platform/format.ts";
import { useKeptState } from "../../../platform/kept-state.ts";
import { Checkbox } from "../../../ui/field.tsx";
import { earlierPayments, type EarlierPayment } from "./earlier-payments.ts";

export interface PaidEarlierState {
  method: QuotedMethod | undefined;
  payments: EarlierPayment[];
  /** The one that the student says they have made. */
  claimed: EarlierPayment | undefined;
  claim: (payment: EarlierPayment | undefined) => void;
}

/** Which earlier amount a late student says they sent; forgotten when the quote no longer lists it. */
export function usePaidEarlier(quote: Quote, method: QuotedMethod | undefined): PaidEarlierState {
  const place = `payment of ${quote.package_type}: paid earlier`;
  const [key, setKey] = useKeptState<string | undefined>(place, undefined, z.string());
  const payments = method ? earlierPayments(quote, method) : [];
  return {
    method,
    payments,
    claimed: payments.find((payment) => payment.key === key),
    claim: (payment) => setKey(payment?.key),
  };
}

interface PaidEarlierProps {
  state: PaidEarlierState;
  /** Right after a renewal that changed something it is asked openly, else only of whoever looks for it. */
  isAskedOpenly: boolean;
  disabled: boolean;
}

export function PaidEarlier({ state, isAskedOpenly, disabled }: PaidEarlierProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  if (state.payments.length === 0) return null;
  const boxes = <Boxes state={state} disabled={disabled} />;
  if (isAskedOpenly) return boxes;
  // A claim stays in sight, and its box in its place: a box that moved would lose the keyboard's focus.
  return (
    <details open={isOpen || state.claimed !== undefined}>
      <summary
        className="flex min-h-11 w-fit items-center text-small text-action underline underline-offset-4"
        onClick={(event) => {
          // The browser reports a toggle later, and would close a box that was ticked meanwhile.
          event.preventDefault();
          setOpen(!isOpen);
        }}
      >
        Have you paid by earlier amounts?
      </summary>
      <div className="mt-2">{boxes}</div>
    </details>
  );
}

function Boxes({ state: { method, payments, claimed, claim }, disabled }: Omit<PaidEarlierProps, "isAskedOpenly">): ReactNode {
  if (!method) return null;
  const place = paymentMethod(method.crypto_type).destinationName;
  /** Whether nothing but its destination tells a payment from another one. */
  const isAlike = ({ amountCrypto, hasOtherDestination }: EarlierPayment): boolean =>
    hasOtherDestination && payments.filter((one) => one.hasOtherDestination && one.amountCrypto === amountCrypto).length > 1;
  return (
    <fieldset className="grid gap-3">
      <legend className="sr-only">Paid by earlier amounts</legend>
      {payments.map((payment) => (
        <Checkbox
          key={payment.key}
          name="paid-earlier"
          checked={payment === claimed}
          disabled={disabled}
          onChange={(event) => claim(event.target.checked ? payment : undefined)}
          label={
            <>
              I have already sent{" "}
              <span className="figures font-medium" translate="no">
                {amountText(method.crypto_type, payment.amountCrypto)}
              </span>
              {payment.hasOtherDestination && <span>{` to the earlier ${place}`}</span>}
              <span className="block text-muted">
                As shown on <span>{dateTime(payment.quotedAt)}</span>
                {isAlike(payment) && (
                  <span>
                    , to{" "}
                    <span className="font-figures wrap-anywhere" translate="no">
                      {shortened(payment.destination)}
                    </span>
                  </span>
                )}
                . We will check it by that amount.
              </span>
            </>
          }
        />
      ))}
    </fieldset>
  );
}

/** The amount that the request will name: the current one, or the earlier one that the student claims. */
export function SentSum({ method, claimed }: SentSumProps): ReactNode {
  return (
    <p className="figures flex flex-wrap justify-between gap-x-4 border-t border-line pt-4 text-small">
      <span className="text-muted">You have sent</span>
      <span className="font-medium" translate="no">
        {amountText(method.crypto_type, claimed?.amountCrypto ?? method.amount_crypto)}
      </span>
    </p>
  );
}

interface SentSumProps {
  method: QuotedMethod;
  claimed: EarlierPayment | undefined;
}
