import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FastifyRequest } from "fastify";
import type { Config } from "../../../config.ts";
import { escapeHtml } from "../../escape-html.ts";
import { isLoopbackHost } from "../client/loopback.ts";
import { footerLinks, siteLinksOf, type SiteLinks } from "#domain/site-links";
import { negotiatedText, type NegotiatedText } from "./negotiated-text.ts";
import { originOf } from "../origin.ts";

/** More than one site's names. Bounds the memory that foreign Host headers can use. */
const keptOrigins = 8;

/** The paragraph around the prerendered contacts. */
const contactLine = /<p\b(?:(?!<p\b).)*%CONTACTS%.*?<\/p>/gs;

/** The site's name and addresses, as the pages display them. */
export interface Site {
  siteName: string;
  links: SiteLinks;
  publicUrl: string | undefined;
}

/** Returns the site's name and addresses from the settings. */
export function siteOf(config: Config): Site {
  const links = siteLinksOf({
    contactEmail: config.site.contactEmail,
    contactUrl: config.site.contactUrl,
    termsUrl: config.site.termsUrl,
    privacyUrl: config.site.privacyUrl,
    imprintUrl: config.site.imprintUrl,
    helpUrl: config.site.helpUrl,
  });
  return { siteName: config.site.name, publicUrl: config.server.publicUrl, links };
}

/**
 * Returns a text of the build with the operator's name and the site's origin in place of `%SITE_NAME%` (HTML, XML and plain text),
 * `%JSON_SITE_NAME%` (inside JSON) and `%ORIGIN%`, and the operator's links. Made once for each origin.
 */
export function pageText(folder: string, file: string, type: string, site: Site): (request: FastifyRequest) => NegotiatedText {
  const template = withLinks(readFileSync(join(folder, file), "utf8"), site.links)
    .replaceAll("%SITE_NAME%", () => escapeHtml(site.siteName))
    .replaceAll("%JSON_SITE_NAME%", () => escapeJson(site.siteName));
  const made = new Map<string, NegotiatedText>();

  return (request) => {
    const origin = template.includes("%ORIGIN%") ? cleanOrigin(originOf(site.publicUrl, request)) : "";
    const known = made.get(origin);
    if (known) return known;
    // A sender of ever new Host headers must not cause compression at full effort each time.
    const effort = origin === "" || site.publicUrl !== undefined || isLoopbackHost(new URL(origin).host) ? 11 : 5;
    const text = negotiatedText(type, template.replaceAll("%ORIGIN%", origin), effort);
    if (made.size >= keptOrigins) made.delete([...made.keys()][0] ?? "");
    made.set(origin, text);
    return text;
  };
}

/**
 * Fills in `%SITE_LINKS%`, which the app reads, and what is prerendered: the links of the footer, of which one without an address is inert
 * (CONTACT-2), and the line of contacts, which is removed where there are none (CONTACT-1).
 */
function withLinks(text: string, links: SiteLinks): string {
  const contacts = escapeHtml(links.contacts.map(({ label }) => label).join(" or "));
  return footerLinks
    .reduce((before, name) => {
      const href = links.footer[name];
      const attributes = href === undefined ? 'role="link" aria-disabled="true"' : `href="${escapeHtml(href)}"`;
      return before.replaceAll(`href="%LINK_${name}%"`, () => attributes);
    }, text)
    .replaceAll(contactLine, (line) => (contacts === "" ? "" : line.replace("%CONTACTS%", () => contacts)))
    .replaceAll("%SITE_LINKS%", () => escapeHtml(JSON.stringify(links)));
}

/** Host headers that are not valid origins are ignored. A valid origin needs no escaping. */
function cleanOrigin(origin: string): string {
  if (!URL.canParse(origin)) return "";
  const { protocol, host, pathname } = new URL(origin);
  return `${protocol}//${host}${pathname.replace(/\/+$/, "")}`;
}

/** Escapes a text for a JSON string, also inside a `<script>`. */
function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll("<", "\\u003c");
}
