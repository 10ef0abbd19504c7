import { usdText } from "../money.ts";
import { packages, type PackageType } from "../packages.ts";

/** What an entry of the audit log says of an action; old entries lack some of the details. */
export interface AuditedAction {
  action: string;
  subject_type: string;
  subject_id: string;
  details: Record<string, unknown>;
}

/** Returns a text of the details, or else the subject's id. */
const named = ({ details, subject_id }: AuditedAction, field: string): string => text(details[field]) || subject_id;

const text = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");

/** Returns text that is left out with its value. */
const optional = (before: string, value: unknown, after = ""): string =>
  text(value) === "" ? "" : `${before}${text(value)}${after}`;

const fieldOf = (details: unknown, field: string): unknown => (details as Record<string, unknown> | null | undefined)?.[field];

/** Returns the payment of `ann@example.com (Advanced, 997 USD)`. */
function payment(entry: AuditedAction): string {
  const { payer, package_type, amount_usd } = entry.details;
  if (text(payer) === "") return `payment ${entry.subject_id}`;
  return `the payment of ${text(payer)} (${packages[package_type as PackageType]?.name ?? "?"}, ${text(amount_usd)} USD)`;
}

/** Returns `, tier unpaid → advanced`, or nothing where the tier stayed. */
function tierChange({ before, after, tier_before, tier_after }: Record<string, unknown>): string {
  const [from, to] = [text(fieldOf(before, "tier")) || text(tier_before), text(fieldOf(after, "tier")) || text(tier_after)];
  return from === to ? "" : `, tier ${from} → ${to}`;
}

/** Returns a text of the values after or before, or else of the details, where older entries have it. */
const valued = ({ before, after, ...details }: Record<string, unknown>, field: string): string =>
  text(fieldOf(after, field)) || text(fieldOf(before, field)) || text(details[field]);

const scalarChange = ({ before, after }: Record<string, unknown>): string =>
  text(before) === "" ? ` to ${text(after)}` : ` from ${text(before)} to ${text(after)}`;

const priceText = (value: unknown): string => (text(value) === "" ? "" : usdText(text(value)));

const counted = (count: unknown, noun: string): string => `${text(count)} ${noun}${count === 1 ? "" : "s"}`;

const video = (entry: AuditedAction): string => `the lesson “${named(entry, "title")}”`;
const session = (entry: AuditedAction): string => `the live session “${named(entry, "title")}”`;
const news = (entry: AuditedAction): string => `the announcement “${named(entry, "title")}”`;
const mail = (entry: AuditedAction): string => `the mail to ${named(entry, "recipient")}`;

/** Filters of an export, as `status pending, method bitcoin`; empty for none. */
const filters = ({ details }: AuditedAction): string =>
  Object.entries((details["filters"] ?? {}) as Record<string, unknown>)
    .map(([name, value]) => ` ${name} “${text(value)}”`)
    .join(",");
const exported = (what: string) => (entry: AuditedAction) =>
  `exported ${what}${filters(entry) === "" ? "" : ` with${filters(entry)}`}`;

/**
 * What each action did, as the words that follow its actor (AUDIT-5). The audit log takes these actions alone, so one without a
 * sentence does not compile.
 */
const sentences = {
  "account.email-change": ({ details }) => `changed their address${scalarChange(details)}`,
  "account.password-change": ({ details }) =>
    `changed their password${details["by"] === "recovery" ? " by a recovery link" : ""}`,
  "account.recovery-code-use": ({ details }) => `used a recovery code${optional(", ", details["left"], " left")}`,
  "account.second-factor-off": () => "turned their second factor off",
  "account.second-factor-on": () => "turned their second factor on",
  "account.sessions-end": ({ details }) => `ended ${counted(details["count"], "session")} of their own`,
  "admin.create": (entry) => `made the admin's account ${named(entry, "email")}`,
  "admin.demote": (entry) => `made the former admin ${named(entry, "email")} a student`,
  "admin.promote": (entry) => `made ${named(entry, "email")} the admin`,
  "admin.reset-2fa": () => "removed the admin's second factor",
  "admin.reset-password": () => "reset the admin's password",
  "admin.sign-in": ({ details }) => `signed in${details["by"] === "recovery" ? " by a recovery link" : ""}`,
  "admin.sign-in-begin": ({ details }) =>
    `${details["by"] === "recovery" ? "opened a recovery link" : "gave the password"} and has yet to give a code`,
  "admin.sign-in-failed": ({ details }) =>
    details["in"] === "session"
      ? "gave a wrong password in a session of the admin"
      : "failed to sign in to the admin's account",
  "admin.sign-in-limited": () => "was slowed down after too many tries at the admin's account",
  "coin-price.confirm": ({ subject_id }) => `confirmed the price of ${subject_id}`,
  "coin-price.set": ({ subject_id, details: { before, after } }) =>
    `set the price of ${subject_id}${scalarChange({ before: priceText(before), after: priceText(after) })} USD`,
  "coin-price.set-bounds": ({ subject_id }) => `set the bounds of the price of ${subject_id}`,
  "coupon.create": ({ subject_id }) => `added the coupon ${subject_id}`,
  "coupon.delete": ({ subject_id }) => `deleted the coupon ${subject_id}`,
  "coupon.update": ({ subject_id }) => `changed the coupon ${subject_id}`,
  "export.audit": exported("the audit log"),
  "export.months": exported("the totals per month"),
  "export.payments": exported("the payments"),
  "export.users": exported("the users"),
  "live-session.change-occurrence": (entry) =>
    `changed ${optional("the date ", entry.details["date"], " of ")}${session(entry)}`,
  "live-session.create": (entry) => `planned ${session(entry)}`,
  "live-session.delete": (entry) => `deleted ${session(entry)}`,
  "live-session.update": (entry) => `changed ${session(entry)}`,
  "mail.dismiss": (entry) => `dismissed ${mail(entry)}`,
  "mail.send_again": (entry) => `sent ${mail(entry)} again`,
  "mail.test": ({ details }) => `mailed a test${optional(" to ", details["recipient"])}`,
  "module.rename": ({ details: { before, after, merged } }) =>
    merged === true
      ? `merged the module${optional(" “", before, "”")}${optional(" into “", after, "”")}`
      : `renamed the module${optional(" “", before, "”")}${optional(" to “", after, "”")}`,
  "modules.order": () => "changed the order of the modules",
  "news.delete": (entry) => `deleted ${news(entry)}`,
  "news.publish": (entry) => `published ${news(entry)}${entry.details["mail"] === true ? " and mailed it" : ""}`,
  "news.update": (entry) => `changed ${news(entry)}`,
  "payment-request.approve": (entry) => `approved ${payment(entry)}${tierChange(entry.details)}`,
  "payment-request.ask-rest": (entry) => `asked for the rest of ${payment(entry)}`,
  "payment-request.pay-rest": (entry) => `sent the rest of ${payment(entry)}`,
  "payment-request.reject": (entry) => `rejected ${payment(entry)}${optional(": ", entry.details["reason"])}`,
  "payment-request.reopen": (entry) =>
    `reopened ${payment(entry)}${tierChange(entry.details)}${optional(": ", entry.details["reason"])}`,
  "payment-request.resubmit": (entry) => `submitted ${payment(entry)} again`,
  "payment-request.submit": (entry) => `submitted ${payment(entry)}`,
  "quotes.void": ({ details }) => `ended ${counted(details["count"], "open quote")}`,
  "rejection-reasons.replace": () => "changed the saved reasons for rejections",
  "sample-course.remove": ({ details }) =>
    `removed the sample course, ${counted(Number(valued(details, "lessons")), "lesson")}`,
  "secrets.renew": () => "renewed the site's secrets",
  "setup.close": () => "dismissed the list of what a new shop needs",
  "user.delete": (entry) => `deleted the user ${valued(entry.details, "email") || entry.subject_id}`,
  "user.grant": (entry) =>
    `gave ${named(entry, "email")} ${text(entry.details["after"])} for free${optional(": ", entry.details["reason"])}`,
  "user.note-add": (entry) => `added a note about ${named(entry, "email")}`,
  "user.note-change": (entry) => `changed a note about ${named(entry, "email")}`,
  "user.note-delete": (entry) => `deleted a note about ${named(entry, "email")}`,
  "user.second-factor-off": (entry) => `turned the second factor of ${named(entry, "email")} off`,
  "user.sessions-end": (entry) => `ended ${counted(entry.details["ended"], "session")} of ${named(entry, "email")}`,
  "user.tier": (entry) => `changed the tier of ${named(entry, "email")}${scalarChange(entry.details)}`,
  "video.attachment.add": (entry) => `added${optional(" the file ", valued(entry.details, "filename"))} to ${video(entry)}`,
  "video.attachment.remove": (entry) =>
    `removed ${valued(entry.details, "filename") === "" ? "a file" : "the file"}${optional(" ", valued(entry.details, "filename"))} from ${video(entry)}`,
  "video.captions.remove": (entry) =>
    `removed the captions${optional(" ", valued(entry.details, "language"))} of ${video(entry)}`,
  "video.captions.save": (entry) => `saved the captions${optional(" ", valued(entry.details, "language"))} of ${video(entry)}`,
  "video.create": (entry) => `added ${video(entry)}`,
  "video.delete": (entry) => `deleted ${video(entry)}`,
  "video.poster.remove": (entry) => `removed the poster of ${video(entry)}`,
  "video.poster.save": (entry) => `saved the poster of ${video(entry)}`,
  "video.update": (entry) => `changed ${video(entry)}`,
  "videos.delete": ({ details }) => `deleted ${counted(details["count"], "lesson")}`,
  "videos.order": ({ subject_id }) => `changed the order of the lessons in “${subject_id}”`,
  "videos.update": ({ details }) => `changed ${counted(details["count"], "lesson")}`,
  "wallet-settings.save": () => "saved the wallet settings",
  "wallet-settings.undo": () => "undid a change of the wallet settings",
} satisfies Record<string, (entry: AuditedAction) => string>;

/** An action that the audit log takes. */
export type AuditAction = keyof typeof sentences;

/**
 * Actions whose entries have neither `before` nor `after`: nothing that could be read changes, or it is secret, or private as the text of
 * a note (USER-6). Entries of all others have one of them (AUDIT-3).
 */
export const auditEvents = [
  "account.password-change",
  "account.recovery-code-use",
  "account.sessions-end",
  "admin.reset-2fa",
  "admin.reset-password",
  "admin.sign-in",
  "admin.sign-in-begin",
  "admin.sign-in-failed",
  "admin.sign-in-limited",
  "export.audit",
  "export.months",
  "export.payments",
  "export.users",
  "mail.dismiss",
  "mail.send_again",
  "mail.test",
  "quotes.void",
  "secrets.renew",
  "setup.close",
  "user.note-add",
  "user.note-change",
  "user.note-delete",
  "user.sessions-end",
] as const satisfies AuditAction[];

export type AuditEvent = (typeof auditEvents)[number];

/** Every action, in the order of the alphabet. */
export const auditActions = Object.keys(sentences) as AuditAction[];

const isAuditAction = (action: string): action is AuditAction => Object.hasOwn(sentences, action);

/** Returns what an entry says, as the words that follow its actor; of an action that is not known, its name and subject (AUDIT-5). */
export function auditSentence(entry: AuditedAction): string {
  if (!isAuditAction(entry.action)) return `${entry.action} (${entry.subject_type} ${entry.subject_id})`;
  return sentences[entry.action](entry);
}
