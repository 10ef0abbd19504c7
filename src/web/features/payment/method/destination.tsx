import { Wallet } from "lucide-react";
import type { ReactNode } from "react";
import type { PaymentCode } from "#domain/payment-methods/method";
import { amountText, paymentCode, paymentMethod, type QuotedMethod } from "#domain/payment-methods/methods";
import { siteName } from "../../../platform/site.ts";
import { buttonClass } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { CopyFact, Fact, Facts } from "../../../ui/facts.tsx";
import { QrCode } from "../../../ui/qr-code.tsx";

import { QrActions } from "./qr-actions.tsx";

/** Where to send it: to read, to copy, to scan and, for coins, to open in a wallet. */
export function Destination({ method }: { method: QuotedMethod }): ReactNode {
  const code = paymentCode(method, siteName());
  return (
    <div className="mt-2 grid gap-3 rounded-control border border-line bg-ground p-3 sm:p-4">
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
        <p className="text-small text-muted">{`${name} address`}</p>
        <CopyButton text={text} what="the address" />
      </div>
      <p className="font-figures text-small break-all" translate="no">
        {text}
      </p>
    </div>
  );
}

/** Always visible, also beside a QR code: not every bank's app reads one. */
function BankAccount({ bank }: { bank: NonNullable<QuotedMethod["bank"]> }): ReactNode {
  return (
    <div className="-my-2">
      <Facts>
        <Fact name="Bank" translate="no">
          {bank.name}
        </Fact>
        <CopyFact name="Account number" text={bank.account_number} what="the account number" />
        {bank.account_name !== "" && (
          <Fact name="Account name" translate="no">
            {bank.account_name}
          </Fact>
        )}
        {bank.promptpay_id !== "" && <CopyFact name="PromptPay" text={bank.promptpay_id} what="the PromptPay ID" />}
      </Facts>
    </div>
  );
}

/** The text below the code in the saved picture: the amount, and the receiver that the bank's app must name. */
function pictureLines({ crypto_type, amount_crypto, bank }: QuotedMethod): string[] {
  return [amountText(crypto_type, amount_crypto), bank?.account_name ?? "", bank?.promptpay_id ?? ""].filter(Boolean);
}

/** The QR code, with address and amount in it, and the same as a link for whoever reads this on the phone with the wallet. */
function Scan({ code, method }: { code: PaymentCode; method: QuotedMethod }): ReactNode {
  const { crypto_type, amount_crypto } = method;
  const { currency, scan } = paymentMethod(crypto_type);
  return (
    <div className="grid justify-items-center gap-2 border-t border-line pt-3 text-small">
      <QrCode
        text={code.text}
        label={`${scan.name} QR code for ${amountText(crypto_type, amount_crypto)}`}
        className="w-36 max-w-full sm:w-48"
      />
      <p className="text-center text-muted">{scan.instruction}</p>
      {code.link === undefined ? (
        <QrActions text={code.text} lines={pictureLines(method)} fileName={`qr-${amount_crypto}-${currency}.png`} />
      ) : (
        <a href={code.link} className={buttonClass("secondary", "regular", "w-full")}>
          <Wallet aria-hidden className="size-4" />
          Open in wallet
        </a>
      )}
    </div>
  );
}
