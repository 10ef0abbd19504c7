import { useEffect, useRef, type ReactNode } from "react";
import { texts } from "#domain/texts";
import { Brand } from "../../ui/brand.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { ThemeSwitch } from "../../ui/theme-switch.tsx";
import { useTitle } from "../../platform/site.ts";

const steps = [
  { title: "We check the payment", text: "A person compares your screenshot with what has arrived." },
  {
    title: "We unlock your package",
    text: "Your dashboard changes by itself. If something does not match, it tells you what.",
  },
  { title: "You start with lesson one", text: "Everything in your package is open from then on, at your own pace." },
];

export function Submitted(): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle("Payment submitted");
  useEffect(() => {
    heading.current?.focus();
    scrollTo(0, 0);
  }, []);
  return (
    <main className="mx-auto grid min-h-dvh max-w-xl content-start gap-8 px-5 py-8 sm:content-center sm:py-14">
      <div className="flex items-center justify-between gap-4">
        <Brand />
        <ThemeSwitch />
      </div>
      <div>
        <h1 ref={heading} tabIndex={-1} className="text-heading outline-none">
          {texts.payment.submitted}
        </h1>
        <p className="mt-3 text-muted">Our team will review your screenshot and approve your access within 24 hours.</p>
      </div>
      <section aria-labelledby="what-next">
        <h2 id="what-next" className="mb-4 text-title">
          {texts.payment.whatNext}
        </h2>
        <ol className="border-t border-line">
          {steps.map(({ title, text }, index) => (
            <li key={title} className="grid grid-cols-[2.5rem_1fr] border-b border-line py-4">
              <span aria-hidden className="figures text-small leading-6 text-action">
                {String(index + 1).padStart(2, "0")}
              </span>
              <div>
                <p className="font-medium">{title}</p>
                <p className="text-small text-muted">{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </section>
      <ButtonLink to="/student" size="large">
        {texts.payment.returnToDashboard}
      </ButtonLink>
    </main>
  );
}
