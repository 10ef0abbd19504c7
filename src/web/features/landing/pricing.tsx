import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { paymentPage, signInPage } from "#domain/accounts/next-page";
import { packages, type PackageType } from "#domain/packages";
import { usd } from "../../platform/format.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { texts } from "#domain/texts/texts";
import { featureAbout } from "./package-features.ts";
import { Section } from "./section.tsx";

const cards: Record<PackageType, { lead: string; action: string }> = {
  starter: {
    lead: "The method, complete: how to read structure, plan a trade and survive the bad ones.",
    action: "Choose Starter",
  },
  advanced: {
    lead: "Everything in Starter, then Elliott waves, both plans combined, and a seat in the weekly sessions.",
    action: "Choose Advanced",
  },
};

export function Pricing(): ReactNode {
  return (
    <Section
      id="pricing"
      title={texts.landing.navPricing}
      lead="One payment, no subscription. You pay in Bitcoin, Ethereum or by Thai bank transfer, and a person checks each payment, usually within 24 hours."
    >
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <PriceCard packageType="starter" />
        <PriceCard packageType="advanced" />
      </div>
      <p className="mt-6 text-small text-muted">
        All sales are final. Please read the{" "}
        <a href="#refunds" className="underline underline-offset-4 hover:text-ink">
          no-refund policy
        </a>{" "}
        and the{" "}
        <a href="#risk" className="underline underline-offset-4 hover:text-ink">
          risk disclaimer
        </a>{" "}
        before you buy.
      </p>
    </Section>
  );
}

function PriceCard({ packageType }: { packageType: PackageType }): ReactNode {
  const { name, priceUsd, features } = packages[packageType];
  const { lead, action } = cards[packageType];
  const isAdvanced = packageType === "advanced";
  return (
    <article className={cx("rounded-panel border bg-surface p-6 sm:p-8", isAdvanced ? "border-action" : "border-line")}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h3 className="text-title">{name}</h3>
        <p className="figures">
          <span className="text-heading font-semibold tracking-tight">{usd(priceUsd)}</span>{" "}
          <span className="text-small text-muted">USD, one-time</span>
        </p>
      </div>
      <p className="mt-3 text-muted">{lead}</p>
      <ul className="mt-6 border-t border-line">
        {features.map((feature) => (
          <li key={feature} className="border-b border-line">
            <details className="group">
              <summary className="flex min-h-12 list-none items-center justify-between gap-4 py-2 font-medium transition-colors hover:text-action">
                {feature}
                <Plus aria-hidden className="size-4 shrink-0 text-muted transition-transform group-open:rotate-45" />
              </summary>
              <p className="measure pb-4 text-small text-muted">{featureAbout[feature]}</p>
            </details>
          </li>
        ))}
      </ul>
      <ButtonLink
        to={signInPage(paymentPage(packageType), "sign-up")}
        size="large"
        variant={isAdvanced ? "primary" : "secondary"}
        className="mt-8 w-full"
      >
        {action}
      </ButtonLink>
    </article>
  );
}
