import { greeting, linkFreeName } from "#domain/accounts/accounts";
import type { Evidence } from "#domain/evidence/evidence";
import { amountText } from "#domain/payment-methods/methods";
import { transferOf } from "#domain/payments/transfer";
import { composeMail, linkTo } from "../../../platform/mail/layout.ts";
import type { Mail } from "../../../platform/mail/outbox.ts";
import { evidenceTexts, packageName, partText, restLink, restText, toPayer, type MailContext } from "../mail.ts";
import type { PaymentRequestRow } from "../queries.ts";
import type { PartRow } from "./queries.ts";

/** Returns the key by which the mail that asked for a rest is withdrawn once it is no longer owed (PART-4). */
export function restKey({ id, rest_asked_at }: PaymentRequestRow): string {
  return `rest of ${id} asked ${rest_asked_at?.toISOString()}`;
}

/** Returns the mail to the student that a part has arrived, with what is still owed (PART-3). */
export function restAskedMail({ site, origin }: MailContext, email: string, request: PaymentRequestRow): Mail {
  const name = packageName(request);
  const mail = composeMail({
    site,
    to: email,
    subject: `Part of your payment for ${name} has arrived`,
    heading: "A part of your payment is missing",
    paragraphs: [
      greeting(request.payer_full_name),
      `Thank you for your payment for the ${name} package.`,
      ...restText(request),
    ],
    ...restLink(origin, request),
    notes: [`Request ${request.id}`],
  });
  return { ...mail, ...toPayer(request), replaceKey: restKey(request) };
}

/** Returns the mail to the admin that a student has sent the rest (PART-4), with the evidence so far. */
export function restPaidMail(
  { site, origin }: MailContext,
  adminEmail: string,
  request: PaymentRequestRow,
  part: PartRow,
  evidence: readonly Evidence[],
): Mail {
  const name = packageName(request);
  const transfer = transferOf(request);
  return composeMail({
    site,
    to: adminEmail,
    subject: `Rest of a payment: ${name}, ${transfer ? amountText(transfer.crypto_type, part.amount_asked) : ""}`,
    heading: "The rest of a payment was sent",
    paragraphs: [
      `${linkFreeName(request.payer_full_name, "A student")} (${request.payer_email}) has sent the rest of the payment for the ${name} package, to ${part.wallet_address}.`,
      ...(transfer && request.amount_received !== null
        ? [`${partText(transfer, request.amount_received)} had arrived before.`]
        : []),
      ...(part.reference === null ? [] : [`Transaction reference: ${part.reference}`]),
      "All screenshots are with the request.",
      ...evidenceTexts(evidence),
    ],
    ...linkTo(origin, `/admin/payments/${request.id}`, "Review the request"),
    notes: [`Request ${request.id}`],
  });
}
