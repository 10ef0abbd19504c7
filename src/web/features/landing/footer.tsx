import type { ReactNode } from "react";
import { texts } from "#domain/texts/texts";
import { siteName } from "../../platform/site.ts";
import { Brand } from "../../ui/brand.tsx";
import { cx } from "../../ui/cx.ts";
import { pageWidth } from "../../ui/page.tsx";

const columns = [
  { title: texts.landing.footerCourse, links: ["Curriculum", "Live sessions", "Packages"] },
  { title: texts.landing.footerSupport, links: ["Help", "Payment questions", "Contact"] },
  { title: texts.landing.footerLegal, links: ["Terms", "Privacy", "Imprint"] },
];

export function Footer(): ReactNode {
  return (
    <footer className="border-t border-line">
      <div className={cx(pageWidth, "grid gap-12 py-14")}>
        <div className="grid gap-10 sm:grid-cols-3 lg:grid-cols-[1.4fr_1fr_1fr_1fr] items-start">
          <div className="sm:col-span-3 lg:col-span-1">
            <Brand />
          </div>
          {columns.map(({ title, links }) => (
            <nav key={title} aria-label={`${title} links`}>
              <h2 className="text-small font-semibold tracking-normal">{title}</h2>
              <ul className="mt-2 text-small text-muted">
                {links.map((link) => (
                  <li key={link} className="py-1.5">
                    {/* Inert (LANDING-1): a link without a destination. */}
                    <span role="link" aria-disabled="true">
                      {link}
                    </span>
                  </li>
                ))}
              </ul>
            </nav>
          ))}
        </div>
        <div className="grid gap-8 border-t border-line pt-8 text-small text-muted md:grid-cols-2">
          <section id="refunds" aria-labelledby="refunds-title" className="scroll-mt-32">
            <h2 id="refunds-title" className="font-semibold tracking-normal text-ink">
              No-refund policy
            </h2>
            <p className="measure mt-2">
              All sales are final. Access is given to digital content as soon as a payment is approved, so we do not refund or
              exchange packages. Please watch the sample lessons first and ask what you need to know before you pay.
            </p>
          </section>
          <section id="risk" aria-labelledby="risk-title" className="scroll-mt-32">
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
