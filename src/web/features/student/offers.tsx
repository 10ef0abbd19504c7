import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { paymentPage } from "#domain/accounts/next-page";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { packages, type PackageType, type SubscriptionStatus } from "#domain/packages";
import { texts } from "#domain/texts/texts";
import { openRequest, purchaseOf } from "../../entities/payment-request/next-step.ts";
import { usd } from "../../platform/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { RequestState } from "./request-state.tsx";
import { UpgradeCard } from "./upgrade-card.tsx";

interface OffersProps {
  tier: SubscriptionStatus;
  requests: PaymentRequest[];
}

/** What is on sale for a tier: both packages, the upgrade, or nothing. A requested package shows the status of its request instead. */
export function Offers({ tier, requests }: OffersProps): ReactNode {
  const asked = (packageType: PackageType): PaymentRequest | undefined => {
    const purchase = purchaseOf(requests, tier, packageType);
    return purchase.step === "buy" || purchase.step === "owned" ? undefined : purchase.request;
  };
  const [starter, advanced] = [asked("starter"), asked("advanced")];
  const onTop = openRequest(requests, tier);
  const stateOf = (request: PaymentRequest): ReactNode => <RequestState {...{ request, tier }} isOnTop={request === onTop} />;
  if (tier === "advanced") return null;
  if (tier === "starter") return advanced ? stateOf(advanced) : <UpgradeCard />;
  return (
    <section aria-labelledby="packages">
      <h2 id="packages" className="mb-4 text-title">
        {starter && advanced ? "Your packages" : "Choose your package"}
      </h2>
      <div className="grid gap-5 md:grid-cols-2">
        {starter ? stateOf(starter) : <Offer packageType="starter" action={texts.student.buyStarter} />}
        {advanced ? stateOf(advanced) : <Offer packageType="advanced" action={texts.student.buyAdvanced} />}
      </div>
    </section>
  );
}

function Offer({ packageType, action }: { packageType: PackageType; action: string }): ReactNode {
  const { name, priceUsd, features } = packages[packageType];
  const isPopular = packageType === "advanced";
  return (
    <article className={cx("flex flex-col rounded-panel border bg-surface p-6", isPopular ? "border-action" : "border-line")}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="text-title">{name}</h3>
        {isPopular && <Badge tone="accent">{texts.student.mostPopular}</Badge>}
      </div>
      <p className="figures mt-2">
        <span className="text-heading font-semibold tracking-tight" translate="no">
          {usd(priceUsd)}
        </span>{" "}
        <span className="text-small text-muted">USD, one-time</span>
      </p>
      <ul className="mt-4 mb-6 grid gap-1.5 text-small">
        {features.map((feature) => (
          <li key={feature} className="flex gap-2.5">
            <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-gain" />
            {feature}
          </li>
        ))}
      </ul>
      <ButtonLink to={paymentPage(packageType)} variant={isPopular ? "primary" : "secondary"} className="mt-auto">
        {action}
      </ButtonLink>
    </article>
  );
}
