import { linkFreeName } from "#domain/accounts/accounts";
import { joinOpensMinutes } from "#domain/live-sessions/live-session";
import { secondsAfter } from "../../../platform/clock.ts";
import { composeMail, type ChoiceLinks, type MailContent, type MailSite } from "../../../platform/mail/layout.ts";
import type { Mail } from "../../../platform/mail/outbox.ts";
import type { MailedOccurrence, Recipient } from "./queries.ts";

/** Where a mail comes from. */
export interface Sender {
  site: MailSite;
  /** Where links lead to. */
  origin: string;
}

/** Returns the key by which the reminders of an occurrence to one student are dropped. */
export const reminderKey = (occurrenceId: string, accountId: string): string => `live-reminder:${occurrenceId}:${accountId}`;

/** Returns the mail before an occurrence. It is not sent after the start. */
export function reminderMail(
  sender: Sender,
  to: Recipient,
  { id, title, starts_at, time_zone }: MailedOccurrence,
  choices: ChoiceLinks,
): Mail {
  const mail = mailOf(sender, to, starts_at, {
    choices,
    subject: `Live session soon: ${title}`,
    heading: "Your live session is about to begin",
    paragraphs: [
      `“${title}” begins on ${timeText(starts_at, time_zone)}.`,
      `You can join on your dashboard from ${joinOpensMinutes} minutes before.`,
    ],
  });
  return { ...mail, replaceKey: reminderKey(id, to.id) };
}

/** Seconds after the last of its starts until which a mail about a change is sent: somebody may be waiting for the session. */
const correctionSeconds = 3600;

/** Returns the mail that an occurrence was moved, to a student who was reminded of it. */
export function movedMail(
  sender: Sender,
  to: Recipient,
  { title, starts_at, time_zone }: MailedOccurrence,
  newStart: Date,
): Mail {
  const lastStart = newStart > starts_at ? newStart : starts_at;
  return mailOf(sender, to, secondsAfter(lastStart, correctionSeconds), {
    subject: `Live session moved: ${title}`,
    heading: "Your live session was moved",
    paragraphs: [
      `“${title}” now begins on ${timeText(newStart, time_zone)}.`,
      `It does not take place on ${timeText(starts_at, time_zone)}.`,
    ],
    notes: [reminded],
  });
}

/** Returns the mail that an occurrence does not take place, to a student who was reminded of it. */
export function cancelledMail(sender: Sender, to: Recipient, { title, starts_at, time_zone }: MailedOccurrence): Mail {
  return mailOf(sender, to, secondsAfter(starts_at, correctionSeconds), {
    subject: `Live session cancelled: ${title}`,
    heading: "Your live session was cancelled",
    paragraphs: [
      `“${title}” on ${timeText(starts_at, time_zone)} does not take place.`,
      "The next one is on your dashboard as soon as it is planned.",
    ],
    notes: [reminded],
  });
}

/** Returns the mail that a cancelled occurrence takes place after all, to a student who was mailed that it does not. */
export function restoredMail(sender: Sender, to: Recipient, { title, time_zone }: MailedOccurrence, start: Date): Mail {
  return mailOf(sender, to, secondsAfter(start, correctionSeconds), {
    subject: `Live session takes place: ${title}`,
    heading: "Your live session takes place after all",
    paragraphs: [`“${title}” was cancelled, and now takes place on ${timeText(start, time_zone)}.`],
    notes: [reminded],
  });
}

/** Of mails that go to everyone who was reminded, also to those who have turned reminders off since (LIVESESSION-7). */
const reminded = "You get this mail because you were reminded of this session.";

function mailOf(
  { site, origin }: Sender,
  { email, full_name }: Recipient,
  expiresAt: Date,
  { paragraphs, ...content }: Pick<MailContent, "subject" | "heading" | "paragraphs" | "notes" | "choices">,
): Mail {
  const mail = composeMail({
    ...content,
    site,
    to: email,
    paragraphs: [`Hello ${linkFreeName(full_name, "there")},`, ...paragraphs],
    button: { label: "Open your dashboard", url: `${origin}/student` },
  });
  return { ...mail, expiresAt };
}

/** The server has no time zone of its recipients, so a mail names that of the session and UTC, whose day may be another. */
function timeText(time: Date, timeZone: string): string {
  const format = (options: Intl.DateTimeFormatOptions): string => new Intl.DateTimeFormat("en-GB", options).format(time);
  const local = format({ dateStyle: "full", timeStyle: "short", timeZone });
  if (timeZone === "UTC") return `${local} (UTC)`;
  const dayIn = (zone: string) => format({ weekday: "short", day: "numeric", month: "short", timeZone: zone }).replace(",", "");
  const utcDay = dayIn("UTC") === dayIn(timeZone) ? "" : `${dayIn("UTC")}, `;
  return `${local} (${timeZone}, ${utcDay}${format({ timeStyle: "short", timeZone: "UTC" })} UTC)`;
}
