/** Addresses that the operator set; each may be missing. */
export interface SiteAddresses {
  contactEmail?: string | undefined;
  /** A chat, or a page with a form. */
  contactUrl?: string | undefined;
  termsUrl?: string | undefined;
  privacyUrl?: string | undefined;
  imprintUrl?: string | undefined;
  helpUrl?: string | undefined;
}

export interface Link {
  label: string;
  href: string;
}

/** The links of the footer that lead somewhere once the operator has set an address (CONTACT-2). */
export const footerLinks = ["help", "paymentQuestions", "contact", "terms", "privacy", "imprint"] as const;
export type FooterLink = (typeof footerLinks)[number];

/** The operator's links, as the pages display them. */
export interface SiteLinks {
  /** The operator's contacts: none, one or two. */
  contacts: Link[];
  /** Where the footer's links lead; those that are missing are inert. */
  footer: Partial<Record<FooterLink, string>>;
}

/** Returns the ways to reach the operator, the e-mail address first (CONTACT-1). */
export function contactsOf({ contactEmail, contactUrl }: SiteAddresses): Link[] {
  return [
    ...(contactEmail === undefined ? [] : [{ label: contactEmail, href: mailtoOf(contactEmail) }]),
    ...(contactUrl === undefined ? [] : [{ label: contactUrl.replace(/^https:\/\//i, ""), href: contactUrl }]),
  ];
}

/** Returns the links of a site for its pages. */
export function siteLinksOf(addresses: SiteAddresses): SiteLinks {
  const contacts = contactsOf(addresses);
  const places: Record<FooterLink, string | undefined> = {
    help: addresses.helpUrl,
    paymentQuestions: contacts[0]?.href,
    contact: contacts.at(-1)?.href,
    terms: addresses.termsUrl,
    privacy: addresses.privacyUrl,
    imprint: addresses.imprintUrl,
  };
  return { contacts, footer: Object.fromEntries(Object.entries(places).filter(([, href]) => href !== undefined)) };
}

/** Returns the link that writes to an address, which may contain `?` or `&`: they would begin fields of the mail (RFC 6068). */
export function mailtoOf(email: string): string {
  return `mailto:${encodeURIComponent(email).replaceAll("%40", "@")}`;
}
