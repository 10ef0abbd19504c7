import { Wallet } from "lucide-react";
import type { ReactNode } from "react";
import type { Quote } from "#domain/api/quotes";
import type { PaymentCode } from "#domain/payment-methods/method";
import { amountText, paymentCode, paymentMethod } from "#domain/payment-methods/methods";
import { siteName } from "../../../platform/site.ts";
import { buttonClass } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { QrCode } from "../../../ui/qr-code.tsx";

type Method = Quote["methods"][number];

/** Where to send it: to read, to copy, to scan and, for coins, to open in a wallet. */
export function Destination({ method }: { method: Method }): ReactNode {
  const code = paymentCode(method, siteName());
  return (
    <div className="mt-2 grid gap-5 rounded-control border border-line bg-ground p-4">
      {method.bank ? (
        <BankAccount bank={method.bank} />
      ) : (
        <Address text={method.wallet_address} name={paymentMethod(method.crypto_type).name} />
      )}
      {code && <Scan code={code} method={method} />}
    </div>
  );
}

function Address({ text, name }: { text: string; name: string }): ReactNode {
  return (
    <div>
      <div className="mb-2 flex items-center justify-between gap-3">
        <p className="text-small text-muted">{name} address</p>
        <CopyButton text={text} what="the address" />
      </div>
      <p className="font-figures text-small break-all">{text}</p>
    </div>
  );
}

/** Always visible, also beside a QR code: not every bank's app reads one. */
function BankAccount({ bank }: { bank: NonNullable<Method["bank"]> }): ReactNode {
  return (
    <div className="-my-2.5">
      <Facts>
        <Fact name="Bank">{bank.name}</Fact>
        <Fact name="Account number">
          <Copyable text={bank.account_number} what="the account number" />
        </Fact>
        {bank.account_name !== "" && <Fact name="Account name">{bank.account_name}</Fact>}
        {bank.promptpay_id !== "" && (
          <Fact name="PromptPay">
            <Copyable text={bank.promptpay_id} what="the PromptPay ID" />
          </Fact>
        )}
      </Facts>
    </div>
  );
}

/** A figure as people read it, and the button that copies it. */
export function Copyable({ text, readAs = text, what }: { text: string; readAs?: string; what: string }): ReactNode {
  return (
    <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 sm:justify-end">
      <span>{readAs}</span>
      <CopyButton text={text} what={what} />
    </span>
  );
}

/** The QR code, with address and amount in it, and the same as a link for whoever reads this on the phone with the wallet. */
function Scan({ code, method }: { code: PaymentCode; method: Method }): ReactNode {
  const { crypto_type, amount_crypto } = method;
  const { scan } = paymentMethod(crypto_type);
  return (
    <div className="grid justify-items-center gap-4 border-t border-line pt-5 sm:grid-cols-[auto_1fr] sm:items-center sm:justify-items-start sm:gap-6">
      <QrCode
        text={code.text}
        label={`${scan.name} QR code for ${amountText(crypto_type, amount_crypto)}`}
        className="w-52 max-w-full sm:w-48"
      />
      <div className="grid w-full gap-3 text-small">
        <p className="text-center text-muted sm:text-left">{scan.instruction}</p>
        {code.link !== undefined && (
          <a href={code.link} className={buttonClass("secondary", "regular", "w-full sm:w-fit")}>
            <Wallet aria-hidden className="size-4" />
            Open in wallet
          </a>
        )}
      </div>
    </div>
  );
}
