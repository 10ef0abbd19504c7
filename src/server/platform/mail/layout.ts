import type { Mail } from "./outbox.ts";

/** What a mail says; every text is plain and escaped here. */
export interface MailContent {
  siteName: string;
  to: string;
  subject: string;
  heading: string;
  /** Before the code or button. */
  paragraphs: readonly string[];
  /** Shown large, to be read and typed. */
  code?: string;
  button?: { label: string; url: string };
  /** After the code or button: how long it holds, what to do if one did not ask for it. */
  notes?: readonly string[];
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
  };
}

function asText({ siteName, heading, paragraphs, code, button, notes = [] }: MailContent): string {
  const parts = [heading, ...paragraphs];
  if (code !== undefined) parts.push(code);
  if (button !== undefined) parts.push(`${button.label}:\n${button.url}`);
  return [...parts, ...notes, `-- \n${siteName}`].join("\n\n") + "\n";
}

function asHtml({ siteName, subject, heading, paragraphs, code, button, notes = [] }: MailContent): string {
  const paragraph = (text: string): string => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;
  const note = (text: string): string => `<p style="margin:0 0 8px;font-size:14px;color:#64748b">${escapeHtml(text)}</p>`;
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
    `<body style="margin:0;padding:32px 16px;background:#f1f5f9;font:16px/1.5 system-ui,'Segoe UI',Arial,sans-serif;color:#0f172a">`,
    `<div style="max-width:520px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px">`,
    `<p style="margin:0 0 24px;font-weight:600;color:#047857">${escapeHtml(siteName)}</p>`,
    `<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escapeHtml(heading)}</h1>`,
    ...paragraphs.map(paragraph),
    code === undefined ? "" : codeHtml(code),
    button === undefined ? "" : buttonHtml(button),
    ...notes.map(note),
    `</div></body></html>`,
  ].join("\n");
}

function codeHtml(code: string): string {
  return `<p style="margin:24px 0;font:700 32px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:8px">${escapeHtml(code)}</p>`;
}

function buttonHtml({ label, url }: { label: string; url: string }): string {
  const style =
    "display:inline-block;padding:12px 20px;border-radius:8px;background:#047857;color:#ffffff;text-decoration:none";
  return [
    `<p style="margin:24px 0"><a href="${escapeHtml(url)}" style="${style}">${escapeHtml(label)}</a></p>`,
    `<p style="margin:0 0 16px;font-size:14px;word-break:break-all">${escapeHtml(url)}</p>`,
  ].join("\n");
}

/** Also for attributes in double or single quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
