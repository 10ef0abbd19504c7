import { useEffect } from "react";

/** The operator's name for the site. While the landing page is prerendered it is the mark that the server fills in. */
export function siteName(): string {
  if (typeof document === "undefined") return "%SITE_NAME%";
  return document.querySelector<HTMLMetaElement>('meta[name="site-name"]')?.content ?? "";
}

interface SiteLinks {
  contacts: { label: string; href: string }[];
  footer: Record<string, string>;
}

/** The operator's links, as the server writes them into the page (CONTACT-1). While a page is prerendered the contacts are its mark. */
export const siteLinks = readSiteLinks();

function readSiteLinks(): SiteLinks {
  if (typeof document === "undefined") return { contacts: [{ label: "%CONTACTS%", href: "" }], footer: {} };
  const meta = document.querySelector<HTMLMetaElement>('meta[name="site-links"]');
  return meta?.content ? (JSON.parse(meta.content) as SiteLinks) : { contacts: [], footer: {} };
}

/** Returns where a link of the footer leads. While the landing page is prerendered it is the mark that the server replaces. */
export function footerHref(name: string): string | undefined {
  return typeof document === "undefined" ? `%LINK_${name}%` : siteLinks.footer[name];
}

/** Sets the tab's title. */
export function useTitle(page: string): void {
  useEffect(() => {
    document.title = `${page} – ${siteName()}`;
  }, [page]);
}
