import { ArrowLeft, Eye } from "lucide-react";
import { useState, type MouseEvent, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { packageBadges, subscriptionStatuses, type SubscriptionStatus } from "#domain/packages";
import { PreviewAs } from "../../entities/session/preview.tsx";
import { useTitle } from "../../platform/site.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { Dashboard } from "./dashboard.tsx";

const names: Record<SubscriptionStatus, string> = { unpaid: "Unpaid", starter: "Starter", advanced: "Advanced" };

/** What only a student may do: leads to their payment, or changes what is theirs. */
const studentOnly = 'a[href^="/payment"], [data-student-only]';

/** The dashboard as a student of a tier gets it who has bought and begun nothing else (VIDEOS-5). */
export function PreviewPage(): ReactNode {
  const [params] = useSearchParams();
  const tier = subscriptionStatuses.find((one) => one === params.get("tier")) ?? "unpaid";
  const [isRefused, setRefused] = useState(false);
  useTitle(`Preview as ${names[tier]}`);
  const refuse = (event: MouseEvent): void => {
    const isRefusedHere = event.target instanceof Element && event.target.closest(studentOnly) !== null;
    setRefused(isRefusedHere);
    if (!isRefusedHere) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div onClickCapture={refuse}>
      <PreviewAs tier={tier}>
        <Dashboard key={tier} requests={[]} banner={<PreviewBanner tier={tier} isRefused={isRefused} />} />
      </PreviewAs>
    </div>
  );
}

function PreviewBanner({ tier, isRefused }: { tier: SubscriptionStatus; isRefused: boolean }): ReactNode {
  return (
    <aside
      aria-label="Preview"
      className="sticky top-[calc(4rem+var(--notice,0rem))] z-20 -mb-4 grid gap-2 rounded-control border border-l-4 border-line border-l-caution bg-caution-soft px-4 py-3 text-small"
    >
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <p className="flex items-center gap-2 font-semibold">
          <Eye aria-hidden className="size-4 shrink-0" />
          Preview: {packageBadges[tier]}
        </p>
        <nav aria-label="Preview as" className="flex flex-wrap gap-1">
          {subscriptionStatuses.map((one) => (
            <Link
              key={one}
              to={`/admin/preview?tier=${one}`}
              replace
              preventScrollReset
              aria-current={one === tier ? "page" : undefined}
              className={cx(
                "inline-flex min-h-11 items-center rounded-control border px-3 font-medium",
                one === tier ? "border-action bg-action text-on-action" : "border-control hover:border-action",
              )}
            >
              {names[one]}
            </Link>
          ))}
        </nav>
        <ButtonLink variant="secondary" size="small" className="ml-auto" to="/admin?tab=videos">
          <ArrowLeft aria-hidden className="size-4" />
          Back to the course
        </ButtonLink>
      </div>
      <p role="status" className="empty:hidden">
        {isRefused && "Only students can do this, so the preview does nothing."}
      </p>
    </aside>
  );
}
