import { contactsOf, type SiteAddresses } from "#domain/site-links";
import { linkedPieces } from "#domain/texts/linked-text";
import { escapeHtml } from "../escape-html.ts";
import { light } from "./colors.ts";
import type { Mail, MailChoice } from "./outbox.ts";

const sans = "Inter,system-ui,'Segoe UI',Roboto,Arial,sans-serif";
const figures = "ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace";

/** Who a mail comes from. */
export interface MailSite extends SiteAddresses {
  name: string;
}

/** A choice, and the lines below a mail that the recipient can turn off (MAIL-9). */
export interface ChoiceLinks extends MailChoice {
  /** Of this kind of mail. */
  name: string;
  /** Where every kind is chosen. */
  chooseUrl: string;
  /** Where this kind is turned off, without signing in. */
  unsubscribeUrl: string;
}

/** The content of a mail; every text is plain and escaped here. */
export interface MailContent {
  site: MailSite;
  to: string;
  subject: string;
  heading: string;
  /** Before the code or button. */
  paragraphs: readonly string[];
  /** Makes links of the https addresses in the paragraphs. Not for text of students, whose mails others read. */
  hasLinks?: boolean;
  /** Displayed large, to be read and typed. */
  code?: string;
  button?: { label: string; url: string };
  /** After the code or button: how long it is valid, and what to do if the recipient did not ask for it. */
  notes?: readonly string[];
  /** For a mail that the recipient can turn off; every other mail is necessary. */
  choices?: ChoiceLinks;
}

/** Returns the button that leads to a page; none without an origin. */
export function linkTo(origin: string | undefined, path: string, label: string): Pick<MailContent, "button"> {
  return origin === undefined ? {} : { button: { label, url: origin + path } };
}

/** Lays out a mail, as text and as HTML with the same content. */
export function composeMail(content: MailContent): Mail {
  const highlight = content.code ?? content.button?.url;
  return {
    to: content.to,
    subject: content.subject,
    text: asText(content),
    html: asHtml(content),
    ...(highlight === undefined ? {} : { highlight }),
    ...(content.choices && choiceOf(content.choices)),
  };
}

function choiceOf({ accountId, kind, unsubscribeUrl }: ChoiceLinks): Pick<Mail, "choice" | "unsubscribeUrl"> {
  return { choice: { accountId, kind }, unsubscribeUrl };
}

function asText({ site, heading, paragraphs, code, button, notes = [], choices }: MailContent): string {
  const parts = [heading, ...paragraphs];
  if (code !== undefined) parts.push(code);
  if (button !== undefined) parts.push(`${button.label}:\n${button.url}`);
  const contacts = contactsOf(site).map(({ label, href }) => (href.startsWith("mailto:") ? label : href));
  const question = contacts.length === 0 ? [] : [`Questions? Write to ${contacts.join(" or ")}`];
  const footer = choices
    ? [`${reasonOf(choices)}\nChoose your mails: ${choices.chooseUrl}\nUnsubscribe: ${choices.unsubscribeUrl}`]
    : [];
  return [...parts, ...notes, ...question, ...footer, `-- \n${site.name}`].join("\n\n") + "\n";
}

function asHtml({ site, subject, heading, paragraphs, code, button, notes = [], choices, hasLinks }: MailContent): string {
  const paragraph = (text: string): string =>
    `<p style="margin:0 0 16px">${hasLinks === true ? linkedHtml(text) : escapeHtml(text)}</p>`;
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light">`,
    `<title>${escapeHtml(subject)}</title></head>`,
    `<body style="margin:0;padding:32px 16px;background:${light("ground")};font:16px/1.6 ${sans};color:${light("ink")}">`,
    `<div style="max-width:544px;margin:0 auto">`,
    brandHtml(site.name),
    `<div style="padding:32px;background:${light("surface")};border:1px solid ${light("line")};border-radius:8px">`,
    `<h1 style="margin:0 0 16px;font-size:24px;line-height:1.25;font-weight:600;letter-spacing:-0.018em">${escapeHtml(heading)}</h1>`,
    ...paragraphs.map(paragraph),
    code === undefined ? "" : codeHtml(code),
    button === undefined ? "" : buttonHtml(button),
    notesHtml(notes),
    `</div>`,
    contactHtml(site),
    choices ? choicesHtml(choices) : "",
    `</div></body></html>`,
  ].join("\n");
}

/** Line breaks stay, and https addresses are links. */
function linkedHtml(text: string): string {
  return linkedPieces(text)
    .map((piece) => (piece.href === undefined ? escapeHtml(piece.text) : linkHtml({ label: piece.text, href: piece.href })))
    .join("")
    .replaceAll("\n", "<br>");
}

/** The two candles of the site, made of boxes: mail programs do not render SVG. */
function brandHtml(siteName: string): string {
  const candle = (margin: string, fill: string): string =>
    `<span style="display:inline-block;width:6px;height:10px;margin:${margin};border:2px solid ${light("action")};background:${fill}"></span>`;
  const mark = candle("0 3px -3px 0", light("ground")) + candle("0 10px 1px 0", light("action"));
  return `<p style="margin:0 0 20px;font-weight:600;letter-spacing:-0.01em">${mark}${escapeHtml(siteName)}</p>`;
}

function codeHtml(code: string): string {
  const style = `margin:24px 0;padding:16px 20px;border-radius:4px;background:${light("raised")};font:600 32px/1.2 ${figures};letter-spacing:8px`;
  return `<p style="${style}">${escapeHtml(code)}</p>`;
}

function buttonHtml({ label, url }: { label: string; url: string }): string {
  const style = [
    "display:inline-block;padding:13px 24px;border-radius:4px;font-weight:600;text-decoration:none",
    `background:${light("action")};color:${light("on-action")}`,
  ].join(";");
  return [
    `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a></p>`,
    `<p style="margin:0 0 16px;font-size:14px;word-break:break-all;color:${light("muted")}">${escapeHtml(url)}</p>`,
  ].join("\n");
}

function notesHtml(notes: readonly string[]): string {
  if (notes.length === 0) return "";
  const note = (text: string): string => `<p style="margin:0 0 4px;word-break:break-word">${escapeHtml(text)}</p>`;
  const style = `margin-top:24px;padding-top:16px;border-top:1px solid ${light("line")};font-size:14px;color:${light("muted")}`;
  return `<div style="${style}">${notes.map(note).join("\n")}</div>`;
}

/** Below the sheet; nothing where the operator has set no address (CONTACT-1). */
function contactHtml(site: MailSite): string {
  const contacts = contactsOf(site);
  if (contacts.length === 0) return "";
  return belowHtml(`Questions? Write to ${contacts.map(linkHtml).join(" or ")}`);
}

function choicesHtml(choices: ChoiceLinks): string {
  const links = [
    { label: "Choose your mails", href: choices.chooseUrl },
    { label: "Unsubscribe", href: choices.unsubscribeUrl },
  ];
  return belowHtml(`${escapeHtml(reasonOf(choices))} ${links.map(linkHtml).join(" · ")}`);
}

const reasonOf = ({ name }: ChoiceLinks): string => `You get this mail because “${name}” is on for your account.`;

const belowHtml = (html: string): string => `<p style="margin:16px 0 0;font-size:14px;color:${light("muted")}">${html}</p>`;

const linkHtml = ({ label, href }: { label: string; href: string }): string =>
  `<a href="${escapeHtml(href)}" style="color:${light("action")}">${escapeHtml(label)}</a>`;
