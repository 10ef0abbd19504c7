import { breakLinks } from "#domain/accounts/accounts";
import type { ListedChange } from "#domain/guard/changes";
import { waitingText, type takeEffect } from "#domain/guard/delay";
import type { CryptoType } from "#domain/payment-methods/methods";
import { settingsField, settingText } from "#domain/payment-methods/settings";
import { minuteText } from "#domain/texts/minute-text";
import { composeMail, type MailSite } from "../../../platform/mail/layout.ts";
import type { Mail } from "../../../platform/mail/outbox.ts";

/** When the saved destination of a method is first quoted, as ISO 8601 UTC, where it waits (GUARD-5). */
type TakesEffect = ReturnType<typeof takeEffect>;

interface ChangedMail {
  site: MailSite;
  undoUrl: string;
  undoUntil: Date;
  changes: ListedChange[];
  takesEffect: TakesEffect;
  by: { actor_email: string; ip: string; device: string; at: Date };
}

/** Returns the alert about a change, with the link that undoes it (GUARD-1). */
export function changedMail({ site, undoUrl, undoUntil, changes, takesEffect, by }: ChangedMail, to: string): Mail {
  const mail = composeMail({
    site,
    to,
    subject: `Payment settings of ${site.name} were changed`,
    heading: "The payment settings were changed",
    paragraphs: [
      "Somebody signed in as the admin, hopefully you, changed these settings:",
      ...changes.map(changeText),
      ...waitingTexts(takesEffect),
      `Changed by ${by.actor_email} at ${minuteText(by.at.toISOString())}, from ${by.ip}, with ${by.device}.`,
    ],
    button: { label: "Undo this change", url: undoUrl },
    notes: [
      "If this was you, there is nothing to do.",
      `If it was not: the link works once, until ${minuteText(undoUntil.toISOString())}. It puts the former settings back, ends the quotes that students have open, and signs the admin out everywhere. Choose a new password for the admin's account afterwards.`,
    ],
  });
  return { ...mail, expiresAt: undoUntil };
}

interface UndoneMail {
  site: MailSite;
  restored: ListedChange[];
  takesEffect: TakesEffect;
  ip: string;
  at: Date;
}

/** Returns the mail that a change was undone by its link (GUARD-2). */
export function undoneMail(about: UndoneMail, to: string): Mail {
  const { site, restored, takesEffect, ip, at } = about;
  return composeMail({
    site,
    to,
    subject: `A change of the payment settings of ${site.name} was undone`,
    heading: "A change of the payment settings was undone",
    paragraphs: [
      "Somebody used the link in the mail about a change, which put these settings back:",
      ...restored.map(changeText),
      ...waitingTexts(takesEffect),
      `Undone at ${minuteText(at.toISOString())}, from ${ip}. Open quotes have ended, and the admin was signed out everywhere.`,
    ],
    notes: [
      "Choose a new password for the admin's account now, and turn on its second factor: whoever made the change knew the old password.",
      "If the change was right, sign in and save it again.",
    ],
  });
}

function changeText({ field, label, before, after }: ListedChange): string {
  // What somebody typed must not become a link in a mail about it.
  const text = (value: string): string =>
    value === "" ? "empty" : settingsField(field).kind === "account" ? breakLinks(value) : settingText(field, value);
  return `${label}: now ${text(after)}, before ${text(before)}.`;
}

function waitingTexts(takesEffect: TakesEffect): string[] {
  return Object.entries(takesEffect).map(([method, at]) => waitingText(method as CryptoType, minuteText(at)));
}
