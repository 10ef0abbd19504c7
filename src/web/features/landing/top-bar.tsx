import type { ReactNode } from "react";
import { texts } from "#domain/texts/texts";
import { Brand } from "../../ui/brand.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { pageWidth } from "../../ui/page.tsx";
import { ThemeSwitch } from "../../ui/theme-switch.tsx";

const anchors = [
  { href: "#course", text: texts.landing.navCourse },
  { href: "#stories", text: texts.landing.navStories },
  { href: "#pricing", text: texts.landing.navPricing },
];

export function TopBar(): ReactNode {
  return (
    <header className="fixed inset-x-0 top-[var(--notice,0rem)] z-30 border-b border-line bg-ground">
      <div className={cx(pageWidth, "flex min-h-16 items-center justify-between gap-x-4")}>
        <a href="#content" className="inline-flex rounded-control py-2">
          <Brand />
        </a>
        <nav aria-label="Sections" className="flex items-center gap-1 sm:gap-2">
          {anchors.map(({ href, text }) => (
            <a
              key={href}
              href={href}
              className="hidden min-h-11 items-center rounded-control px-3 text-small text-muted transition-colors hover:text-ink md:inline-flex"
            >
              {text}
            </a>
          ))}
          <ThemeSwitch />
          <ButtonLink to="/auth" variant="secondary" size="small">
            {texts.landing.login}
          </ButtonLink>
        </nav>
      </div>
      <nav aria-label="Sections, short" className="flex justify-between gap-2 border-t border-line px-4 md:hidden">
        {anchors.map(({ href, text }) => (
          <a key={href} href={href} className="inline-flex min-h-11 items-center text-small text-muted hover:text-ink">
            {text}
          </a>
        ))}
      </nav>
    </header>
  );
}
