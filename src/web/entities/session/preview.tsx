import { createContext, use, type ReactNode } from "react";
import type { SubscriptionStatus } from "#domain/packages";
import { SessionContext, useMe } from "./session.tsx";

const PreviewTier = createContext<SubscriptionStatus | undefined>(undefined);

/** Returns the tier whose dashboard the admin looks at (VIDEOS-5); undefined outside of a preview. */
export function usePreviewTier(): SubscriptionStatus | undefined {
  return use(PreviewTier);
}

/** Renders the parts of the dashboard for the admin as for a student of a tier (VIDEOS-5). */
export function PreviewAs({ tier, children }: { tier: SubscriptionStatus; children: ReactNode }): ReactNode {
  const me = useMe();
  return (
    <PreviewTier value={tier}>
      <SessionContext value={{ status: "signed-in", me: { ...me, role: "student", subscription_status: tier }, asOf: 0 }}>
        {children}
      </SessionContext>
    </PreviewTier>
  );
}
