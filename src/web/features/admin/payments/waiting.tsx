import type { ReactNode } from "react";
import { Banner } from "../../../ui/banner.tsx";
import { ButtonLink } from "../../../ui/button.tsx";
import { pendingAddress, usePaymentCounts } from "./queries.ts";

/** The admin's daily task, wherever they look. Renders nothing while no request waits. */
export function Waiting(): ReactNode {
  const count = usePaymentCounts().data?.pending ?? 0;
  if (count === 0) return null;
  const what = count === 1 ? "1 payment request is" : `${count} payment requests are`;
  return (
    <Banner tone="caution" isCompact>
      <div className="flex items-center justify-between gap-x-3">
        <p className="figures min-w-0 max-sm:truncate">
          {what} waiting<span className="max-sm:sr-only"> for your decision</span>.
        </p>
        <ButtonLink to={pendingAddress} preventScrollReset variant="link" size="small" className="-mx-3 min-h-11">
          Review
        </ButtonLink>
      </div>
    </Banner>
  );
}
