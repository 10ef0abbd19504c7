import type { ReactNode } from "react";
import type { Quote } from "#domain/api/quotes";
import { packages } from "#domain/packages";
import { methodCurrencies, methodNames } from "#domain/wallet-settings";
import { usd } from "../../platform/format.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Panel, PanelTitle } from "../../ui/panel.tsx";

type Method = Quote["methods"][number];

/** Exactly what to send and where to. */
export function Details({ quote, method }: { quote: Quote; method: Method }): ReactNode {
  const currency = methodCurrencies[method.crypto_type];
  const isBank = method.crypto_type === "thai_bank";
  return (
    <Panel aria-label="Payment details">
      <PanelTitle>{methodNames[method.crypto_type]} payment</PanelTitle>
      <Facts>
        <Fact name="Package">{packages[quote.package_type].name}</Fact>
        {quote.coupon_code !== null && (
          <>
            <Fact name="Original price">{usd(quote.original_usd)}</Fact>
            <Fact name={`Discount (${quote.coupon_code})`}>
              <span className="text-gain">−{usd(quote.discount_usd)}</span>
            </Fact>
          </>
        )}
        <Fact name="Amount in USD">{usd(quote.amount_usd)} USD</Fact>
        <Fact name={`Amount in ${currency}`} strong>
          <span className="inline-flex flex-wrap items-center justify-end gap-x-3 gap-y-2">
            <span>
              {method.amount_crypto} {currency}
            </span>
            {!isBank && <CopyButton text={method.amount_crypto} what="the amount" />}
          </span>
        </Fact>
      </Facts>
      {isBank ? (
        <BankAccount method={method} />
      ) : (
        <Address text={method.wallet_address} name={methodNames[method.crypto_type]} />
      )}
    </Panel>
  );
}

function Address({ text, name }: { text: string; name: string }): ReactNode {
  return (
    <div className="mt-2 rounded-control border border-line bg-ground p-4">
      <div className="mb-2 flex items-center justify-between gap-3">
        <p className="text-small text-muted">{name} address</p>
        <CopyButton text={text} what="the address" />
      </div>
      <p className="font-figures text-small break-all">{text}</p>
    </div>
  );
}

function BankAccount({ method }: { method: Method }): ReactNode {
  const { bank } = method;
  if (!bank) return <Address text={method.wallet_address} name="Bank account" />;
  return (
    <div className="mt-2 rounded-control border border-line bg-ground px-4 py-1.5">
      <Facts>
        <Fact name="Bank">{bank.name}</Fact>
        <Fact name="Account number">{bank.account_number}</Fact>
        {bank.account_name !== "" && <Fact name="Account name">{bank.account_name}</Fact>}
      </Facts>
    </div>
  );
}
