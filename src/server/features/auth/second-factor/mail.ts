import { texts } from "#domain/texts/texts";
import { composeMail, type MailSite } from "../../../platform/mail/layout.ts";
import type { Mail } from "../../../platform/mail/outbox.ts";

const ifNotYou = `If this was not you, change your password at once, or reset it with "${texts.auth.forgotPassword}" on the sign-in page.`;

/** Returns the mail that informs the owner that sign-in asks for a code from now on. */
export function factorAddedMail(site: MailSite, to: string): Mail {
  return composeMail({
    site,
    to,
    subject: `Two-step sign-in is on for your ${site.name} account`,
    heading: "Two-step sign-in is on",
    paragraphs: [
      "From now on, signing in asks for a code from your authenticator app. All your other sessions were signed out.",
      "Keep the recovery codes that were shown to you in a safe place: without the app, each of them works once.",
    ],
    notes: [ifNotYou],
  });
}

/** Returns the mail that informs the owner that sign-in no longer asks for a code. */
export function factorRemovedMail(site: MailSite, to: string): Mail {
  return composeMail({
    site,
    to,
    subject: `Two-step sign-in is off for your ${site.name} account`,
    heading: "Two-step sign-in is off",
    paragraphs: ["Your password alone now opens your account, and your recovery codes no longer work."],
    notes: [ifNotYou],
  });
}

/** Returns the mail that informs a student that the admin has turned the second factor off. */
export function factorRemovedByAdminMail(site: MailSite, to: string): Mail {
  return composeMail({
    site,
    to,
    subject: `Two-step sign-in is off for your ${site.name} account`,
    heading: "Two-step sign-in is off",
    paragraphs: [
      "The operator of the site turned two-step sign-in off and signed your account out everywhere. Your password alone now opens it.",
      "Sign in and turn two-step sign-in on again on your account page.",
    ],
    notes: [`If you did not ask for this, write to the operator of the site. ${ifNotYou}`],
  });
}

/** Returns the mail that informs the owner of a used recovery code. */
export function recoveryCodeUsedMail(site: MailSite, to: string, left: number): Mail {
  const rest = left === 1 ? "One recovery code is left." : `${left} recovery codes are left.`;
  return composeMail({
    site,
    to,
    subject: `A recovery code of your ${site.name} account was used`,
    heading: "A recovery code was used",
    paragraphs: [`Somebody, hopefully you, used a recovery code in place of the authenticator app. ${rest}`],
    notes: ["For new codes, turn two-step sign-in off and on again on your account page.", ifNotYou],
  });
}
