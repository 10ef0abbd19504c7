import type { ReactNode } from "react";
import { signInPage } from "#domain/accounts/next-page";
import { ButtonLink } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { pageWidth } from "../../ui/page.tsx";

export function Closing(): ReactNode {
  return (
    <section aria-labelledby="closing-title" className="border-t border-line bg-surface">
      <div className={cx(pageWidth, "grid justify-items-start gap-6 py-16 lg:grid-cols-[1fr_auto] lg:items-center lg:py-20")}>
        <div>
          <h2 id="closing-title" className="text-heading">
            The chart will be there tomorrow. Start with the first lesson.
          </h2>
          <p className="measure mt-3 text-muted">
            Creating an account costs nothing and opens the sample lessons, so you can hear how we teach before you pay.
          </p>
        </div>
        <ButtonLink to={signInPage(undefined, "sign-up")} size="large">
          Create your account
        </ButtonLink>
      </div>
    </section>
  );
}
