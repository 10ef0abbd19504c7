import type { ReactNode } from "react";
import { texts } from "#domain/texts/texts";
import { AccountActions } from "../../entities/session/account-actions.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Page } from "../../ui/page.tsx";

/** The page around what the admin does. */
export function AdminFrame({ children }: { children: ReactNode }): ReactNode {
  return (
    <Page
      wide
      title={<Badge tone="accent">{texts.admin.badge}</Badge>}
      actions={<AccountActions logout={texts.admin.logout} />}
    >
      {children}
    </Page>
  );
}
