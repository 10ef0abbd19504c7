import { escapeHtml } from "./layout.ts";

export interface ShownMail {
  id: number;
  to: string;
  subject: string;
  text: string;
  highlight: string | undefined;
  sent_at: string;
}

/** The whole page, rendered here: it needs no script, and its style comes from the same origin (content policy). */
export function mailboxPage(siteName: string, mails: readonly ShownMail[]): string {
  const count = mails.length === 1 ? "1 mail" : `${mails.length} mails`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="5">
<title>Mailbox · ${escapeHtml(siteName)}</title>
<link rel="stylesheet" href="/mailbox.css">
</head>
<body>
<main>
<header>
<h1>Mailbox</h1>
<p>Mails of ${escapeHtml(siteName)} land here until SMTP_URL is set. Only this machine sees this page. ${count}, newest first.</p>
</header>
${mails.length === 0 ? '<p class="empty">No mail yet. This page looks again every 5 seconds.</p>' : mails.map(mailHtml).join("\n")}
</main>
</body>
</html>
`;
}

function mailHtml(mail: ShownMail): string {
  return `<article>
<h2>${escapeHtml(mail.subject)}</h2>
<p class="meta">To <strong>${escapeHtml(mail.to)}</strong> · <time datetime="${mail.sent_at}">${mail.sent_at.slice(0, 19).replace("T", " ")} UTC</time></p>
${mail.highlight === undefined ? "" : `<p class="${isLink(mail.highlight) ? "link" : "code"}">${linked(mail.highlight)}</p>`}
<pre>${linked(mail.text)}</pre>
</article>`;
}

const isLink = (text: string): boolean => /^https?:\/\//.test(text);

/** Escaped text with its web addresses as links. */
function linked(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part) => (isLink(part) ? `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>` : escapeHtml(part)))
    .join("");
}

export const mailboxStyles = `
:root { color-scheme: light dark; --paper: #ffffff; --ground: #f1f5f9; --ink: #0f172a; --quiet: #475569; --accent: #047857; --line: #e2e8f0; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16202f; --ground: #0b1220; --ink: #e8eef6; --quiet: #a3b1c4; --accent: #34d399; --line: #263449; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, "Segoe UI", Roboto, Arial, sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: 2.5rem 1rem 4rem; }
h1 { margin: 0; font-size: 1.75rem; letter-spacing: -0.01em; }
header p { margin: 0.25rem 0 1.75rem; color: var(--quiet); }
.empty { padding: 2.5rem; border: 1px dashed var(--line); border-radius: 0.75rem; color: var(--quiet); text-align: center; }
article { margin: 0 0 1rem; padding: 1.25rem 1.5rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--paper); }
h2 { margin: 0; font-size: 1.125rem; }
.meta { margin: 0.125rem 0 0; color: var(--quiet); font-size: 0.875rem; overflow-wrap: anywhere; }
.code { margin: 1rem 0 0; color: var(--accent); font: 700 2.25rem/1.2 ui-monospace, Menlo, Consolas, monospace; letter-spacing: 0.2em; }
.link { margin: 1rem 0 0; overflow-wrap: anywhere; font-weight: 600; }
a { color: var(--accent); }
pre { margin: 1rem 0 0; padding-top: 1rem; border-top: 1px solid var(--line); font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
`;
