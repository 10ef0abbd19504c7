import type { ReactNode } from "react";
import type { FooterLink } from "#domain/site-links";
import { texts } from "#domain/texts/texts";
import { footerHref, siteName } from "../../platform/site.ts";
import { Brand } from "../../ui/brand.tsx";
import { cx } from "../../ui/cx.ts";
import { pageWidth } from "../../ui/page.tsx";

interface Entry {
  label: string;
  /** The operator's address for it, if there can be one. */
  link?: FooterLink;
}

const columns: { title: string; entries: Entry[] }[] = [
  { title: texts.landing.footerCourse, entries: [{ label: "Curriculum" }, { label: "Live sessions" }, { label: "Packages" }] },
  {
    title: texts.landing.footerSupport,
    entries: [
      { label: "Help", link: "help" },
      { label: "Payment questions", link: "paymentQuestions" },
      { label: "Contact", link: "contact" },
    ],
  },
  {
    title: texts.landing.footerLegal,
    entries: [
      { label: "Terms", link: "terms" },
      { label: "Privacy", link: "privacy" },
      { label: "Imprint", link: "imprint" },
    ],
  },
];

export function Footer(): ReactNode {
  return (
    <footer className="border-t border-line">
      <div className={cx(pageWidth, "grid gap-12 py-14")}>
        <div className="grid gap-10 sm:grid-cols-3 lg:grid-cols-[1.4fr_1fr_1fr_1fr] items-start">
          <div className="sm:col-span-3 lg:col-span-1">
            <Brand />
          </div>
          {columns.map(({ title, entries }) => (
            <nav key={title} aria-label={`${title} links`}>
              <h2 className="text-small font-semibold tracking-normal">{title}</h2>
              <ul className="mt-2 text-small text-muted">
                {entries.map(({ label, link }) => (
                  <li key={label} className="py-1.5">
                    <FooterAnchor href={link && footerHref(link)}>{label}</FooterAnchor>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
        <div className="grid gap-8 border-t border-line pt-8 text-small text-muted md:grid-cols-2">
          <section id="refunds" aria-labelledby="refunds-title">
            <h2 id="refunds-title" className="font-semibold tracking-normal text-ink">
              No-refund policy
            </h2>
            <p className="measure mt-2">
              All sales are final. Access is given to digital content as soon as a payment is approved, so we do not refund or
              exchange packages. Please watch the sample lessons before you pay.
            </p>
          </section>
          <section id="risk" aria-labelledby="risk-title">
            <h2 id="risk-title" className="font-semibold tracking-normal text-ink">
              Risk disclaimer
            </h2>
            <p className="measure mt-2">
              Trading foreign exchange is risky and you can lose all of the money you put in. The content of this course is
              educational only and is not financial, investment or trading advice. Past or illustrative results promise nothing.
            </p>
          </section>
        </div>
        <p className="text-small text-muted">© 2024 {siteName()}. All rights reserved.</p>
      </div>
    </footer>
  );
}

/** Without an address it is inert (LANDING-1), and the same element, so that the server can turn one into the other. */
function FooterAnchor({ href, children }: { href: string | undefined; children: string }): ReactNode {
  const target = href === undefined ? ({ role: "link", "aria-disabled": true } as const) : { href };
  return (
    <a {...target} className="rounded-control underline-offset-4 [&[href]]:hover:text-ink [&[href]]:hover:underline">
      {children}
    </a>
  );
}
