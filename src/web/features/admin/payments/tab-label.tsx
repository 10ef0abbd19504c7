import type { ReactNode } from "react";
import { texts } from "#domain/texts/texts";
import { usePaymentCounts } from "./queries.ts";

/** The admin's daily task, wherever they look: how many requests wait. The number takes no room, so that no tab moves when it comes or goes. */
export function PaymentsLabel(): ReactNode {
  const count = usePaymentCounts().data?.pending ?? 0;
  return (
    <span className="relative">
      {texts.admin.payments}
      {count > 0 && (
        <span className="figures absolute bottom-full left-full -mb-2 -ml-1 rounded-full bg-action px-1.5 text-[0.6875rem] leading-4 font-semibold text-on-action">
          <span className="sr-only">, </span>
          {count > 99 ? "99+" : count}
          <span className="sr-only"> waiting</span>
        </span>
      )}
    </span>
  );
}
