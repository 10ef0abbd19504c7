import type { ReactNode } from "react";
import { Link } from "react-router";
import { Brand } from "./brand.tsx";
import { ContactLine } from "./contact-line.tsx";
import { cx } from "./cx.ts";
import { ThemeSwitch } from "./theme-switch.tsx";

/** The width that every page keeps to. */
export const pageWidth = "mx-auto w-full max-w-6xl px-4 sm:px-6";

interface PageProps {
  /** Beside the brand. */
  title?: ReactNode;
  /** At the right end of the header. */
  actions: ReactNode;
  children: ReactNode;
  /** For tables with many columns. */
  wide?: boolean;
}

/** The frame of the signed-in pages: a header that stays, and the content below it. */
export function Page({ title, actions, children, wide }: PageProps): ReactNode {
  return (
    <>
      <header className="sticky top-[var(--notice,0rem)] z-30 border-b border-line bg-ground print:hidden">
        <div
          className={cx(pageWidth, wide && "max-w-7xl", "flex min-h-16 flex-wrap items-center gap-x-2 gap-y-1 py-2 sm:gap-x-4")}
        >
          <Link to="/" className="inline-flex min-h-11 items-center rounded-control py-1">
            <Brand isCompact />
          </Link>
          {title}
          <div className="ml-auto flex flex-wrap items-center justify-end gap-x-1 gap-y-1 sm:gap-x-3">
            <ThemeSwitch />
            {actions}
          </div>
        </div>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className={cx(pageWidth, wide && "max-w-7xl", "py-8 outline-none sm:py-10 print:max-w-none print:p-0")}
      >
        {children}
        <ContactLine className="mt-12 border-t border-line pt-6 print:hidden">Questions? Write to</ContactLine>
      </main>
    </>
  );
}
