import type { ReactNode } from "react";
import type { PaymentPart, Receipt } from "#domain/api/payments/payment-requests";
import { packages } from "#domain/packages";
import { amountText, paymentMethod } from "#domain/payment-methods/methods";
import { isOtherAmount, nothingToPay, transferOf, type Transfer } from "#domain/payments/transfer";
import { usd, utcDateTime } from "../../platform/format.ts";
import { siteName } from "../../platform/site.ts";
import { BrandMark } from "../../ui/brand.tsx";
import { ContactLine } from "../../ui/contact-line.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";

/** A receipt as a sheet of paper: every figure is the stored one, every time is UTC so that two readers read the same. */
export function ReceiptSheet({ receipt }: { receipt: Receipt }): ReactNode {
  return (
    <article
      aria-labelledby="receipt"
      className="mx-auto grid max-w-3xl gap-8 rounded-panel border border-line bg-surface p-5 sm:p-10 print:max-w-none print:gap-6 print:border-0 print:p-0"
    >
      <header className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <p className="flex min-w-0 items-center gap-2.5 text-lead font-semibold tracking-tight">
          <BrandMark />
          <span className="min-w-0 wrap-anywhere">{siteName()}</span>
        </p>
        <div className="sm:text-right">
          <h1 id="receipt" className="text-heading">
            Receipt{" "}
            <span className="figures" translate="no">
              {receipt.receipt_number}
            </span>
          </h1>
          <p className="figures mt-1 text-small text-muted">{utcDateTime(receipt.decided_at)}</p>
        </div>
      </header>
      <section aria-labelledby="paid-by" className="border-t border-line pt-5">
        <h2 id="paid-by" className="text-small font-medium text-muted">
          Paid by
        </h2>
        <p className="mt-1 font-medium wrap-anywhere" translate="no">
          {receipt.full_name}
        </p>
        <p className="text-small wrap-anywhere" translate="no">
          {receipt.email}
        </p>
      </section>
      <Sums receipt={receipt} />
      <Payment receipt={receipt} />
      {/* On the screen the page ends with the same line. */}
      <ContactLine className="hidden print:block">Questions about this receipt? Write to</ContactLine>
    </article>
  );
}

function Sums({ receipt }: { receipt: Receipt }): ReactNode {
  const { package_type, original_usd, discount_usd, discount_percent, coupon_code, upgrade_credit_usd, amount_usd } = receipt;
  return (
    <section aria-labelledby="paid-for">
      <h2 id="paid-for" className="mb-1 text-small font-medium text-muted">
        Paid for
      </h2>
      <div className="border-y border-line">
        <Facts>
          <Fact
            name={<span className="text-body text-ink">{packages[package_type].name} package, one-time</span>}
            translate="no"
          >
            {usd(original_usd)}
          </Fact>
          {coupon_code !== null && (
            <Fact name={`Discount, coupon ${coupon_code} (${discount_percent}%)`} translate="no">
              −{usd(discount_usd)}
            </Fact>
          )}
          {upgrade_credit_usd !== "0" && (
            <Fact name="Paid for Starter" translate="no">
              −{usd(upgrade_credit_usd)}
            </Fact>
          )}
          <Fact name={<span className="text-body font-medium text-ink">Total</span>} strong translate="no">
            {usd(amount_usd)} USD
          </Fact>
        </Facts>
      </div>
    </section>
  );
}

function Payment({ receipt }: { receipt: Receipt }): ReactNode {
  const transfer = transferOf(receipt);
  return (
    <section aria-labelledby="paid-how">
      <h2 id="paid-how" className="mb-1 text-small font-medium text-muted">
        Payment
      </h2>
      <div className="border-y border-line text-small">
        <Facts>
          {transfer ? <TransferFacts receipt={receipt} transfer={transfer} /> : <Fact name="Method">{nothingToPay}</Fact>}
          {receipt.reference !== null && <LongFact name="Transaction reference">{receipt.reference}</LongFact>}
          {receipt.parts.map((part) => (
            <Part key={part.id} part={part} />
          ))}
          <Fact name="Submitted">{utcDateTime(receipt.created_at)}</Fact>
          <Fact name="Approved">{utcDateTime(receipt.decided_at)}</Fact>
          <LongFact name="Request">{receipt.id}</LongFact>
        </Facts>
      </div>
    </section>
  );
}

/** A further part of the payment, by the reference that its student typed. */
function Part({ part }: { part: PaymentPart }): ReactNode {
  if (part.reference === null) return null;
  return <LongFact name={`Reference of the part sent ${utcDateTime(part.submitted_at)}`}>{part.reference}</LongFact>;
}

function TransferFacts({ receipt, transfer }: { receipt: Receipt; transfer: Transfer }): ReactNode {
  const { name, currency } = paymentMethod(transfer.crypto_type);
  const earlier = receipt.paid_by_earlier_quote;
  return (
    <>
      <Fact name="Method">{name}</Fact>
      <Fact name={`Amount in ${currency}`} translate="no">
        {amountText(transfer.crypto_type, transfer.amount_crypto)}
      </Fact>
      {receipt.amount_received !== null && isOtherAmount(transfer, receipt.amount_received) && (
        <Fact name="Amount received" translate="no">
          {amountText(transfer.crypto_type, receipt.amount_received)}
        </Fact>
      )}
      {earlier && (
        <Fact name={`Sent, by the quote of ${utcDateTime(earlier.quoted_at)}`} translate="no">
          {amountText(transfer.crypto_type, earlier.amount_crypto)} ({usd(earlier.amount_usd)} USD)
        </Fact>
      )}
      <LongFact name="Paid to">{earlier?.wallet_address ?? transfer.wallet_address}</LongFact>
    </>
  );
}

/** Addresses, hashes and ids: below their name, since most would not fit beside it and none has a place of its own to break. */
function LongFact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div className="py-2.5">
      <dt className="text-muted">{name}</dt>
      <dd className="font-figures mt-0.5 break-all" translate="no">
        {children}
      </dd>
    </div>
  );
}
