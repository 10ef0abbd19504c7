import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { paymentPage } from "#domain/accounts/next-page";
import type { UpgradeOffer } from "#domain/api/payments/quotes";
import { packages } from "#domain/packages";
import { usd } from "../../platform/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useUpgradeOffer } from "./queries.ts";

const { name, priceUsd, features } = packages.advanced;
const added = features.filter((feature) => !packages.starter.features.includes(feature));

/** Advanced for who has Starter: what it adds, and what it costs them. */
export function UpgradeCard(): ReactNode {
  const offer = useUpgradeOffer();
  return (
    <section
      aria-labelledby="upgrade"
      className="grid gap-x-12 gap-y-6 rounded-panel border border-action bg-surface p-6 md:grid-cols-[1fr_20rem]"
    >
      <div>
        <div className="flex flex-wrap items-center gap-3">
          <h2 id="upgrade" className="text-title">
            Step up to {name}
          </h2>
          <Badge tone="accent">Upgrade</Badge>
        </div>
        <p className="mt-1 text-small text-muted">Everything in Starter stays. Advanced adds:</p>
        <ul className="mt-4 grid gap-1.5 text-small">
          {added.map((feature) => (
            <li key={feature} className="flex gap-2.5">
              <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-gain" />
              {feature}
            </li>
          ))}
        </ul>
      </div>
      <div className="flex flex-col justify-between gap-5">
        {offer.isLoading ? <Skeleton className="h-20" /> : <Price offer={offer.data} />}
        <ButtonLink to={paymentPage("advanced")}>Upgrade to {name}</ButtonLink>
      </div>
    </section>
  );
}

/** The student's price; the list price where theirs could not be loaded, since the payment page has the exact one. */
function Price({ offer }: { offer: UpgradeOffer | undefined }): ReactNode {
  if (!offer || Number(offer.upgrade_credit_usd) === 0) {
    return (
      <p className="figures">
        <span className="text-heading font-semibold tracking-tight" translate="no">
          {usd(offer?.amount_usd ?? priceUsd)}
        </span>{" "}
        <span className="text-small text-muted">USD, one-time</span>
      </p>
    );
  }
  return (
    <Facts>
      <Fact name={name} translate="no">
        {usd(offer.original_usd)}
      </Fact>
      <Fact name="Paid for Starter" translate="no">
        <span className="text-gain">−{usd(offer.upgrade_credit_usd)}</span>
      </Fact>
      <Fact name="You pay" strong translate="no">
        {usd(offer.amount_usd)}
      </Fact>
    </Facts>
  );
}
