import { Sprout } from "lucide-react";
import type { ReactNode } from "react";
import type { Stats } from "#domain/api/overview";
import { packageBadges, subscriptionStatuses } from "#domain/packages";
import { roughly, usd } from "../../../platform/format.ts";
import { ButtonLink } from "../../../ui/button.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { EmptyLoadError } from "../empty-load-error.tsx";
import { pendingAddress } from "../payments/queries.ts";
import { sinceText } from "../settings/prices/price-texts.ts";
import { TabLoading } from "../tab-loading.tsx";
import { Figure } from "./figure.tsx";
import { Health } from "./health.tsx";
import { useSampleCourse, useSetup, useStats } from "./queries.ts";
import { Revenue } from "./revenue/revenue.tsx";
import { SampleCourse } from "./sample-course.tsx";
import { SetupCard } from "./setup-card.tsx";
import { percent, Shares } from "./shares.tsx";

/** The days of the window of `useStats`. */
const windowText = "last 90 days";

/** The state of the shop at a glance (STATS-6). */
export function OverviewTab(): ReactNode {
  const { data: stats, ...query } = useStats();
  const setup = useSetup();
  const sample = useSampleCourse();
  // Their cards stand above the figures and would push them down.
  if (query.isPending || setup.isPending || sample.isPending) return <TabLoading />;
  if (stats === undefined) return <EmptyLoadError what="overview" retry={() => void query.refetch()} />;
  const students = subscriptionStatuses.reduce((sum, tier) => sum + stats.students[tier], 0);
  const isNew = students === 0 && stats.pending.requests === 0 && stats.all_time.approved === 0;
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-3">
      <div className="grid grid-cols-1 gap-4 empty:hidden lg:col-span-3">
        <SetupCard />
        <SampleCourse />
      </div>
      {isNew ? (
        <NewShop />
      ) : (
        <>
          <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:col-span-3 xl:grid-cols-4">
            <Figures stats={stats} />
          </div>
          <div className="lg:col-span-3">
            <Revenue stats={stats} />
          </div>
          {students > 0 && (
            <Shares
              id="tiers"
              title="Students"
              whole={students}
              shares={subscriptionStatuses.map((tier) => ({ name: packageBadges[tier], count: stats.students[tier] }))}
            />
          )}
          {stats.conversion.signed_up > 0 && <Conversion stats={stats} />}
        </>
      )}
      <Health stats={stats} />
    </div>
  );
}

function Figures({ stats }: { stats: Stats }): ReactNode {
  const { pending, typical_approval_seconds: typical, all_time, conversion } = stats;
  const approvals = stats.revenue.reduce((sum, { approved }) => sum + approved, 0);
  return (
    <>
      <Figure
        name="Waiting for your decision"
        value={pending.requests}
        {...(pending.requests > 0 && { to: pendingAddress, action: "Review" })}
      >
        {pending.oldest_at === null ? "No payment request waits." : `The oldest came ${sinceText(pending.oldest_at)}.`}
        {pending.flagged > 0 && ` ${pending.flagged} flagged.`}
      </Figure>
      <Figure name="Typical approval time" value={typical === null ? "–" : roughly(typical)}>
        {typical === null ? "Known after five approvals in 90 days." : "Half of the newest approvals were faster."}
      </Figure>
      <Figure name={`Revenue, ${windowText}`} value={usd(stats.revenue_usd)}>
        {approvals} approved. {usd(all_time.revenue_usd)} since the beginning.
      </Figure>
      <Figure
        name="From sign-up to paid"
        value={conversion.signed_up === 0 ? "–" : percent(conversion.approved, conversion.signed_up)}
      >
        {conversion.approved} of {conversion.signed_up} sign-ups in the {windowText}.
      </Figure>
    </>
  );
}

function Conversion({ stats: { conversion } }: { stats: Stats }): ReactNode {
  const { signed_up, verified, submitted, approved } = conversion;
  return (
    <Shares
      id="conversion"
      title="From sign-up to paid"
      whole={signed_up}
      shares={[
        { name: "Signed up", count: signed_up },
        { name: "Verified the e-mail address", count: verified },
        { name: "Submitted a payment", count: submitted },
        { name: "Approved", count: approved },
      ]}
    >
      <p className="mt-4 text-small text-muted">Sign-ups in the {windowText}, further ones of the same address included.</p>
    </Shares>
  );
}

/** In place of a page of zeros. */
function NewShop(): ReactNode {
  return (
    <Panel className="flex flex-col items-center gap-4 py-12 text-center lg:col-span-2" aria-labelledby="new-shop">
      <Sprout aria-hidden className="size-10 text-gain" strokeWidth={1.5} />
      <h2 id="new-shop" className="text-title">
        No students yet
      </h2>
      <p className="max-w-prose text-muted">
        Once the first student signs up, this page has what waits for you, the revenue of each day, and how many who sign up
        also pay.
      </p>
      <ButtonLink to="/" variant="secondary">
        See your landing page
      </ButtonLink>
    </Panel>
  );
}
