import { useEffect, useState, type ReactNode } from "react";
import type { PackageType } from "#domain/packages";
import type { LaunchOffer as Offer } from "#domain/payments/coupon";
import { texts } from "#domain/texts/texts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { useLaunchOffer } from "./queries.ts";
import { isNothingLeft } from "./quote/price-lines.tsx";
import type { QuoteState } from "./quote/use-quote.ts";

const delayMs = 500;

interface LaunchOfferProps {
  packageType: PackageType;
  state: Pick<QuoteState, "quote" | "isCheckingCoupon" | "isRenewing" | "isStopped" | "applyCoupon">;
}

/** The live launch offer, half a second after the page; one tap applies it. Gone once it is applied, closed or over (COUPON-4). */
export function LaunchOffer({ packageType, state }: LaunchOfferProps): ReactNode {
  const { data: offer } = useLaunchOffer();
  const [stage, setStage] = useState<"waiting" | "open" | "closed">("waiting");
  useEffect(() => {
    const timer = setTimeout(() => setStage((now) => (now === "waiting" ? "open" : now)), delayMs);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    // The button that closed it is gone.
    if (stage === "closed") document.querySelector("h1")?.focus();
  }, [stage]);
  const { quote, isCheckingCoupon, isRenewing, isStopped, applyCoupon } = state;
  const isUseless = quote !== undefined && (quote.coupon_code === offer?.code || isNothingLeft(quote));
  if (!offer || stage === "closed" || isUseless) return null;
  return (
    <div className={cx("mb-6 transition-opacity", stage === "waiting" && "invisible opacity-0")}>
      <Banner onClose={() => setStage("closed")} className="border-l-action">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <p>
            <strong className="font-semibold">{offerText(offer)}</strong>{" "}
            <span className="whitespace-nowrap">
              with code{" "}
              <strong className="font-figures font-semibold text-action" translate="no">
                {offer.code}
              </strong>
            </span>
          </p>
          {percentFor(offer, packageType) !== null && (
            <Button
              variant="secondary"
              size="small"
              disabled={isCheckingCoupon || isRenewing || isStopped}
              onClick={() => applyCoupon(offer.code)}
            >
              {`Use code ${offer.code}`}
            </Button>
          )}
        </div>
      </Banner>
    </div>
  );
}

/** Returns the offer in the catalogue's words with its own percents: for `LUNCH` as shipped, the quoted text itself. */
function offerText(offer: Offer): string {
  const percents = [offer.discount_starter, offer.discount_advanced];
  return texts.payment.launchOffer
    .split(" & ")
    .flatMap((part, index) => (percents[index] == null ? [] : [part.replace(/^\d+/, percents[index])]))
    .join(" & ");
}

function percentFor(offer: Offer, packageType: PackageType): string | null {
  return packageType === "starter" ? offer.discount_starter : offer.discount_advanced;
}
