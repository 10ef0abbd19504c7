import { greeting } from "#domain/accounts/accounts";
import { codeLifetimeSeconds } from "#domain/accounts/verification";
import { texts } from "#domain/texts/texts";
import { composeMail, type MailSite } from "../../platform/mail/layout.ts";
import type { Mail } from "../../platform/mail/outbox.ts";

/** Returns the mail with the code to the address that is to be verified. */
export function codeMail(about: {
  site: MailSite;
  to: string;
  userId: string;
  fullName: string;
  code: string;
  expiresAt: Date;
}): Mail {
  const { site, to, userId, fullName, code, expiresAt } = about;
  const mail = composeMail({
    site,
    to,
    subject: `Your ${site.name} verification code`,
    heading: "Verify your email address",
    paragraphs: [greeting(fullName), "Enter this code on the verification page:"],
    code,
    notes: [
      `The code expires in ${codeLifetimeSeconds / 60} minutes.`,
      "If you did not sign up, ignore this mail: nothing happens without the code.",
    ],
  });
  return { ...mail, expiresAt, replaceKey: replaceKeyOf(userId) };
}

/** The key of the mails for one sign-up, of which the newest replaces the others. */
export function replaceKeyOf(userId: string): string {
  return `verification code of ${userId}`;
}

/**
 * Returns the mail to the owner of an account whose address was used to sign up again, without a code. It is replaced and expires as
 * the code's mail does, so that whoever signed up cannot tell them apart by what failed (ACCOUNT-3).
 */
export function alreadyRegisteredMail(about: { site: MailSite; to: string; userId: string; expiresAt: Date }): Mail {
  const { site, to, userId, expiresAt } = about;
  const mail = composeMail({
    site,
    to,
    subject: `You already have a ${site.name} account`,
    heading: "You already have an account",
    paragraphs: [
      "Somebody just tried to sign up with your email address, which has an account already. Nothing was changed.",
      `If it was you, sign in with your password, or use "${texts.auth.forgotPassword}" on the sign-in page to choose a new one.`,
    ],
    notes: ["If it was not you, there is nothing to do."],
  });
  return { ...mail, expiresAt, replaceKey: replaceKeyOf(userId) };
}
