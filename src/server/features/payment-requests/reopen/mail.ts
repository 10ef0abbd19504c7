import { greeting } from "#domain/accounts/accounts";
import { includesPackage, packages, type SubscriptionStatus } from "#domain/packages";
import { composeMail, linkTo } from "../../../platform/mail/layout.ts";
import type { Mail } from "../../../platform/mail/outbox.ts";
import { packageName, restLink, restText, toPayer, type MailContext } from "../mail.ts";
import type { PaymentRequestRow } from "../queries.ts";

export interface ReopenedDecision {
  /** As it was decided. */
  request: PaymentRequestRow;
  /** As it is pending again. */
  pending: PaymentRequestRow;
  reason: string;
  tierBefore: SubscriptionStatus;
  tierAfter: SubscriptionStatus;
}

/** Returns whether the rest is asked for again, of a package that is not owned. */
export function isRestAsked({ pending, tierAfter }: ReopenedDecision): boolean {
  return pending.rest_asked_at !== null && !includesPackage(tierAfter, pending.package_type);
}

/** Returns the mail to the student that a decision was undone (REOPEN-4). */
export function reopenedMail({ site, origin }: MailContext, email: string, undone: ReopenedDecision): Mail {
  const { request, pending, reason, tierBefore, tierAfter } = undone;
  const isAsked = isRestAsked(undone);
  const wasApproved = request.status === "approved";
  const mail = composeMail({
    site,
    to: email,
    subject: `Your payment request for ${packageName(request)} is under review again`,
    heading: "Payment request under review again",
    paragraphs: [
      greeting(request.payer_full_name),
      `We ${wasApproved ? "approved" : "rejected"} your request for the ${packageName(request)} package and have now undone that decision.`,
      `Reason: ${reason}`,
      ...(tierBefore === tierAfter ? [] : [accessText(tierAfter)]),
      ...(wasApproved ? [`Receipt ${request.receipt_number} is cancelled.`] : []),
      ...(isAsked
        ? restText(pending)
        : ["There is nothing you need to do now. You will get a mail as soon as the request is decided."]),
    ],
    ...(isAsked ? restLink(origin, pending) : linkTo(origin, "/student", "See your request")),
    notes: [`Request ${request.id}`],
  });
  return { ...mail, ...toPayer(request) };
}

function accessText(tier: SubscriptionStatus): string {
  if (tier === "unpaid") return "Until it is decided again, the videos of the package are locked.";
  return `Until it is decided again, you have the ${packages[tier].name} package.`;
}
