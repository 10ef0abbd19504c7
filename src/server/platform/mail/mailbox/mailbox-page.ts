import { themeStyles } from "../colors.ts";
import { escapeHtml } from "../../escape-html.ts";
import { plainPage } from "../../http/pages/plain-page.ts";

export interface MailboxMail {
  id: number;
  to: string;
  subject: string;
  text: string;
  html: string;
  highlight: string | undefined;
  sent_at: string;
}

/** Returns the whole page. */
export function mailboxPage(siteName: string, mails: readonly MailboxMail[]): string {
  const count = mails.length === 1 ? "1 mail" : `${mails.length} mails`;
  return plainPage(
    `Mailbox – ${siteName}`,
    "/mailbox.css",
    `<header>
<div class="bar">
<a class="brand" href="/">${mark}${escapeHtml(siteName)}</a>
<button type="button" data-theme-switch aria-label="Light theme" title="Light theme" aria-pressed="false">${halfDisc}</button>
</div>
<h1>Mailbox</h1>
<p>Mails of ${escapeHtml(siteName)} land here until SMTP_URL is set. Only this machine can open this page, with its token. ${count}, newest first. <a href="/mailbox">Look again</a></p>
</header>
${mails.length === 0 ? '<p class="empty">No mail yet.</p>' : mails.map(mailHtml).join("\n")}`,
  );
}

const mark =
  '<svg aria-hidden="true" viewBox="0 0 24 24"><path d="M7.5 3v7m0 7.5V21M16.5 3v3m0 8.5V21"/><rect x="4.5" y="10" width="6" height="7.5"/><rect class="filled" x="13.5" y="6" width="6" height="8.5"/></svg>';
const halfDisc =
  '<svg aria-hidden="true" viewBox="0 0 24 24"><circle cx="12" cy="12" r="9"/><path class="filled" d="M12 16.5a4.5 4.5 0 0 0 0-9z"/></svg>';

function mailHtml(mail: MailboxMail): string {
  return `<article>
<h2>${escapeHtml(mail.subject)}</h2>
<p class="meta">To <strong>${escapeHtml(mail.to)}</strong> · <time datetime="${mail.sent_at}">${mail.sent_at.slice(0, 19).replace("T", " ")} UTC</time></p>
${mail.highlight === undefined ? "" : `<p class="${isLink(mail.highlight) ? "link" : "code"}">${linked(mail.highlight)}</p>`}
<div class="forms">
<section aria-label="Text"><pre>${linked(mail.text)}</pre></section>
<section aria-label="HTML"><iframe src="/mailbox/mails/${mail.id}" title="HTML of ${escapeHtml(mail.subject)}" sandbox="allow-popups allow-popups-to-escape-sandbox" loading="lazy"></iframe></section>
</div>
</article>`;
}

const isLink = (text: string): boolean => /^https?:\/\//.test(text);

/** Returns escaped text with its web addresses as links. */
function linked(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part) => (isLink(part) ? `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>` : escapeHtml(part)))
    .join("");
}

export const mailboxStyles = `${themeStyles}
@media (scripting: none) { [data-theme-switch] { display: none; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.6 Inter, ui-sans-serif, system-ui, sans-serif; }
:focus-visible { outline: 2px solid var(--action); outline-offset: 2px; }
main { max-width: 80rem; margin: 0 auto; padding: 0.5rem 1rem 4rem; }
.bar { display: flex; align-items: center; justify-content: space-between; gap: 1rem; min-height: 3.5rem; }
.brand { display: inline-flex; align-items: center; gap: 0.625rem; min-height: 2.75rem; color: var(--ink); font-weight: 600; text-decoration: none; }
svg { width: 1.5rem; height: 1.5rem; fill: none; stroke: var(--action); stroke-width: 1.75; }
.filled { fill: var(--action); }
button { display: inline-flex; width: 2.75rem; height: 2.75rem; padding: 0; align-items: center; justify-content: center; border: 0; border-radius: 4px; background: none; cursor: pointer; }
button svg { width: 1.125rem; height: 1.125rem; stroke: var(--muted); stroke-width: 2; }
button .filled { fill: var(--muted); stroke: none; }
button:hover { background: var(--raised); }
h1 { margin: 1.5rem 0 0; font-size: 1.75rem; font-weight: 600; line-height: 1.15; letter-spacing: -0.018em; }
header p a { display: inline-block; padding: 0.125rem 0; }
header p { margin: 0.5rem 0 2rem; color: var(--muted); }
.empty { padding: 2.5rem 1.5rem; border: 1px dashed var(--control); border-radius: 8px; color: var(--muted); text-align: center; }
article { margin: 0 0 1rem; padding: 1.25rem 1.5rem; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); }
h2 { margin: 0; font-size: 1.125rem; font-weight: 600; }
.meta { margin: 0.125rem 0 0; color: var(--muted); font-size: 0.875rem; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.code { margin: 1rem 0 0; color: var(--action); font: 600 2.25rem/1.2 ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; letter-spacing: 0.2em; }
.link { margin: 1rem 0 0; overflow-wrap: anywhere; font-weight: 600; }
a { color: var(--action); }
.forms { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 1.5rem; margin: 1rem 0 0; padding-top: 1rem; border-top: 1px solid var(--line); }
pre { margin: 0; font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
iframe { display: block; width: 100%; height: 36rem; border: 1px solid var(--line); border-radius: 4px; background: #fff; }
`;
