import type { ReactNode } from "react";
import { landingStats, texts } from "#domain/texts/texts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { pageWidth } from "../../ui/page.tsx";
import { Chart } from "./chart.tsx";

export function Hero(): ReactNode {
  return (
    <section className={cx(pageWidth, "pt-36 pb-14 md:pt-32 lg:pb-20")}>
      <div className="grid items-center gap-x-12 gap-y-10 lg:grid-cols-[1.02fr_1fr]">
        <div>
          <h1 className="text-display">{texts.landing.title}</h1>
          <p className="mt-6 max-w-[46ch] text-lead text-muted">
            Learn to read what price is doing and to decide before the trade what it may cost you. 63 recorded lessons and 20
            live sessions on structure, Elliott waves, risk and the person at the keyboard.
          </p>
          <div className="mt-8 flex flex-col gap-3 sm:flex-row">
            <ButtonLink to="/auth" size="large">
              {texts.landing.startLearning}
            </ButtonLink>
            <Button variant="secondary" size="large">
              {texts.landing.watchDemo}
            </Button>
          </div>
        </div>
        <Chart />
      </div>
      <dl className="mt-14 grid border-y border-line sm:grid-cols-3 lg:mt-20">
        {landingStats.map(({ figure, label }) => (
          <div
            key={label}
            className="flex flex-row-reverse items-baseline justify-between gap-4 border-line py-5 not-first:border-t sm:flex-col sm:items-start sm:px-6 sm:not-first:border-t-0 sm:not-first:border-l sm:first:pl-0"
          >
            <dt className="text-small text-muted sm:order-2">{label}</dt>
            <dd className="figures text-heading font-semibold tracking-tight">{figure}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
