import { codeLifetimeSeconds } from "#domain/accounts/verification";
import { texts } from "#domain/texts/texts";
import { composeMail, type MailSite } from "../../../platform/mail/layout.ts";
import type { Mail } from "../../../platform/mail/outbox.ts";

/** The mails with codes for a new address of an account, of which only the newest counts. */
export const newAddressKey = (accountId: string): string => `new address of ${accountId}`;

/** Returns the mail with the code to the address that is to become the account's. It contains no name, since the reader may be a stranger. */
export function newAddressMail(about: { site: MailSite; to: string; accountId: string; code: string; expiresAt: Date }): Mail {
  const { site, to, accountId, code, expiresAt } = about;
  const mail = composeMail({
    site,
    to,
    subject: `Confirm your new email address for ${site.name}`,
    heading: "Confirm your new email address",
    paragraphs: ["Somebody, hopefully you, wants to use this address for an account. Enter this code on the account page:"],
    code,
    notes: [
      `The code expires in ${codeLifetimeSeconds / 60} minutes.`,
      "If you did not ask for this, ignore this mail: nothing happens without the code.",
    ],
  });
  return { ...mail, expiresAt, replaceKey: newAddressKey(accountId) };
}

/** Returns the mail to the owner of an account whose address somebody wants for another account. */
export function addressTakenMail(site: MailSite, to: string): Mail {
  return composeMail({
    site,
    to,
    subject: `Your ${site.name} account already has this address`,
    heading: "This address has an account",
    paragraphs: ["Somebody just wanted to use your email address for another account. Nothing was changed."],
    notes: ["If it was you, sign in to the account that has this address. If it was not you, there is nothing to do."],
  });
}

/** Returns the mail to the present address of an account for which another was requested. */
export function addressRequestedMail(site: MailSite, to: string, newEmail: string): Mail {
  return composeMail({
    site,
    to,
    subject: `A new email address was requested for your ${site.name} account`,
    heading: "A new email address was requested",
    paragraphs: [
      `Somebody, hopefully you, wants your account to have the address ${newEmail}. Until a code that was mailed there is entered, nothing changes.`,
    ],
    notes: [
      `If this was not you, change your password at once, or reset it with "${texts.auth.forgotPassword}" on the sign-in page. That cancels the request and signs out everybody else.`,
    ],
  });
}

/** Returns the mail to the former address of an account. */
export function addressChangedMail(site: MailSite, to: string, newEmail: string): Mail {
  return composeMail({
    site,
    to,
    subject: `The email address of your ${site.name} account was changed`,
    heading: "Your email address was changed",
    paragraphs: [`Your account now has the address ${newEmail}. This address no longer opens it.`],
    notes: ["If this was not you, write to the operator of the site at once, from this address."],
  });
}
