import { greeting, linkFreeName } from "#domain/accounts/accounts";
import { paymentPage } from "#domain/accounts/next-page";
import type { Evidence } from "#domain/evidence/evidence";
import { canonical } from "#domain/money";
import { includesPackage, packages } from "#domain/packages";
import { amountText, paymentMethod } from "#domain/payment-methods/methods";
import { amountOwed, hasArrived, isOtherAmount, nothingToPay, transferOf, type Transfer } from "#domain/payments/transfer";
import { composeMail, linkTo, type MailSite } from "../../platform/mail/layout.ts";
import type { Mail } from "../../platform/mail/outbox.ts";
import type { PaymentRequestRow, ReviewedRow } from "./queries.ts";

export interface MailContext {
  site: MailSite;
  /** Where links lead to; undefined when no origin can be trusted, and then the mail has no link. */
  origin: string | undefined;
}

/** Returns the mail to the student that confirms the request. It was stored just now, with the present address. */
export function requestReceivedMail({ site, origin }: MailContext, request: PaymentRequestRow): Mail {
  const mail = composeMail({
    site,
    to: request.payer_email,
    subject: `We received your payment request for ${packageName(request)}`,
    heading: "Payment request received",
    paragraphs: [
      greeting(request.payer_full_name),
      `Your request for the ${packageName(request)} package is waiting for approval: ${sum(request)}.`,
      `We review every ${transferOf(request) ? "screenshot" : "request"} by hand, usually within 24 hours. You will get a mail as soon as it is decided.`,
    ],
    ...linkTo(origin, "/student", "See your request"),
    notes: [`Request ${request.id}`],
  });
  return { ...mail, ...toPayer(request) };
}

/** Has a mail go to the student's present address; that of the submit is the last one once the account is deleted. */
export function toPayer({ user_id }: PaymentRequestRow): Pick<Mail, "accountId"> {
  return { accountId: user_id ?? undefined };
}

/** Returns the mail to the admin about a new request, with the evidence so far (EVIDENCE-5). */
export function newRequestMail(
  { site, origin }: MailContext,
  adminEmail: string,
  request: PaymentRequestRow,
  evidence: readonly Evidence[],
): Mail {
  const transfer = transferOf(request);
  return composeMail({
    site,
    to: adminEmail,
    subject: `New payment request: ${packageName(request)}, ${canonical(request.amount_usd)} USD`,
    heading: "A payment request is waiting",
    paragraphs: [
      `${linkFreeName(request.payer_full_name, "A student")} (${request.payer_email}) asks for the ${packageName(request)} package.`,
      `${sum(request)}${transfer ? `, to ${transfer.wallet_address}` : ""}.`,
      ...(request.resubmits === null ? [] : [`It submits the rejected request ${request.resubmits} again, by its figures.`]),
      ...(request.reference === null ? [] : [`Transaction reference: ${request.reference}`]),
      ...(transfer ? [] : ["It has no screenshot."]),
      ...evidenceTexts(evidence),
    ],
    ...linkTo(origin, `/admin/payments/${request.id}`, "Review the request"),
    notes: [`Request ${request.id}`],
  });
}

/** By this key the mail about a decision is withdrawn when the request is reopened before it was sent. */
export function decisionKey(requestId: string): string {
  return `decision of ${requestId}`;
}

/** Returns the mail to the student about the approval. */
export function approvedMail({ site, origin }: MailContext, email: string, request: PaymentRequestRow): Mail {
  const mail = composeMail({
    site,
    to: email,
    subject: `Your ${packageName(request)} package is unlocked`,
    heading: "Payment approved",
    paragraphs: [
      greeting(request.payer_full_name),
      `We approved ${transferOf(request) ? `your payment of ${sum(request)}` : "your request"}. The videos of the ${packageName(request)} package are open on your dashboard.`,
      ...otherAmountText(request),
    ],
    ...linkTo(origin, "/student", "Open your course"),
    notes: [receiptNote(origin, request), `Request ${request.id}`],
  });
  return { ...mail, ...toPayer(request), replaceKey: decisionKey(request.id) };
}

/** A request with its payer's tier. */
type WithTier = PaymentRequestRow & Pick<ReviewedRow, "payer_tier">;

/**
 * Returns the mail to the student about the rejection, with its reason. It asks for no money and no other try where the student has the
 * package by now, or the account is deleted (DECIDE-7).
 */
export function rejectedMail({ site, origin }: MailContext, email: string, request: WithTier): Mail {
  const { payer_tier: tier, package_type } = request;
  const isSettled = tier === null || includesPackage(tier, package_type);
  const mail = composeMail({
    site,
    to: email,
    subject: `Your payment request for ${packageName(request)} was not approved`,
    heading: "Payment request not approved",
    paragraphs: [
      greeting(request.payer_full_name),
      `We could not approve your request for the ${packageName(request)} package.`,
      `Reason: ${request.rejection_reason ?? ""}`,
      ...(isSettled ? otherAmountText(request) : [...owedText(request), ...nextStepText(request)]),
      ...(isSettled && tier !== null ? ["You already have everything in this package, so there is nothing to pay."] : []),
    ],
    ...(isSettled ? {} : linkTo(origin, paymentPage(package_type), "Submit again")),
    notes: [`Request ${request.id}`],
  });
  return { ...mail, ...toPayer(request), replaceKey: decisionKey(request.id) };
}

/** Returns what has arrived and what is still to be paid, where too little arrived (DECIDE-7). */
function owedText(request: PaymentRequestRow): string[] {
  const transfer = transferOf(request);
  if (!transfer || request.amount_received === null) return [];
  const owed = amountText(transfer.crypto_type, amountOwed(transfer, request.amount_received));
  if (!hasArrived(request.amount_received)) return [`Nothing has arrived, so ${owed} is still to be paid.`];
  return [`${partText(transfer, request.amount_received)} has arrived, so ${owed} is still to be paid.`];
}

/** Returns the amount received as a part of the amount due. */
export function partText({ crypto_type, amount_crypto }: Transfer, received: string): string {
  return `${amountText(crypto_type, received)} of ${amountText(crypto_type, amount_crypto)}`;
}

/** Returns what a student who is asked for the rest has to pay, and how (PART-3). */
export function restText(request: PaymentRequestRow): string[] {
  const how = "Please send only what is missing and add a screenshot of it on your payment page. Your request keeps its place.";
  return [...owedText(request), how];
}

/** Returns the button that leads to paying the rest. */
export function restLink(origin: string | undefined, request: PaymentRequestRow) {
  return linkTo(origin, paymentPage(request.package_type), "Pay the rest");
}

/** Returns what has arrived of a payment, where that is not the amount due (PART-1). */
function otherAmountText(request: PaymentRequestRow): string[] {
  const transfer = transferOf(request);
  if (!transfer || request.amount_received === null || !isOtherAmount(transfer, request.amount_received)) return [];
  return [`Amount received: ${amountText(transfer.crypto_type, request.amount_received)}.`];
}

function nextStepText(request: PaymentRequestRow): string[] {
  if (!transferOf(request)) return ["Once that is settled you can submit it again."];
  if (request.amount_received === null)
    return ["Once that is settled you can submit it again. There is no need to pay twice: the same transaction can be used."];
  return hasArrived(request.amount_received)
    ? ["Send only what is missing, then submit the request again. Your payment page has the details."]
    : ["If you have sent it, submit the request again; if not, send it first. Your payment page has the details."];
}

function receiptNote(origin: string | undefined, { id, receipt_number }: PaymentRequestRow): string {
  return `Receipt ${receipt_number}: ${origin === undefined ? "on your dashboard" : `${origin}/student/receipts/${id}`}`;
}

/** Leaves out that something was not looked for. */
export function evidenceTexts(evidence: readonly Evidence[]): string[] {
  return evidence.filter(({ verdict }) => verdict !== "off" && verdict !== "none").map(({ text }) => text);
}

/** Returns a request's package by its name in mails. */
export function packageName(request: PaymentRequestRow): string {
  return packages[request.package_type].name;
}

function sum(request: PaymentRequestRow): string {
  const transfer = transferOf(request);
  if (!transfer) return nothingToPay;
  const { amount_crypto, crypto_type } = transfer;
  return `${canonical(request.amount_usd)} USD = ${amountText(crypto_type, amount_crypto)} by ${paymentMethod(crypto_type).name}`;
}
