import type { ReactNode } from "react";
import { paymentMethod, type CryptoType } from "#domain/payment-methods/methods";
import { texts } from "#domain/texts/texts";

const noRefunds = "All payments are final; there are no refunds.";
const patience = "Approval may take up to 24 hours.";

/** Notes before paying by a method; none about sending money where there is nothing to pay. */
export function ImportantNotes({ method }: { method: CryptoType | undefined }): ReactNode {
  const notes =
    method === undefined
      ? [noRefunds, patience]
      : [noRefunds, "Send the exact amount.", ...paymentMethod(method).notes, patience];
  return (
    <section aria-labelledby="important-notes" className="mt-5 border-l-2 border-caution pl-4">
      <h3 id="important-notes" className="text-small font-semibold">
        {texts.payment.importantNotes}
      </h3>
      <ul className="mt-1 grid gap-1 text-small text-muted">
        {notes.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </section>
  );
}
