import type { ReactNode } from "react";
import { texts } from "#domain/texts/texts";
import { AccountActions } from "../../entities/session/account-actions.tsx";
import { storedName } from "../../platform/auth-client.ts";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

interface DashboardFrameProps {
  name: ReactNode;
  /** The student's package. */
  badge: ReactNode;
  children: ReactNode;
}

/** The page around the course; whose it is stands beside the brand, on a phone below it. */
export function DashboardFrame({ name, badge, children }: DashboardFrameProps): ReactNode {
  return (
    <Page
      title={
        <div className="order-last flex min-w-0 basis-full items-center justify-between gap-3 sm:order-none sm:basis-auto">
          <span className="max-w-48 truncate text-small text-muted">{name}</span>
          {badge}
        </div>
      }
      actions={<AccountActions logout={texts.student.logout} />}
    >
      <div className="grid grid-cols-1 gap-10">{children}</div>
    </Page>
  );
}

const [beforeName, afterName] = texts.student.greeting.split("{name}");

/** The dashboard while its data are read; its HTML arrives before there is a script (JOURNEY-6), and `public/arrival.js` writes the name. */
export function StudentLoading({ name = storedName() }: { name?: string | undefined }): ReactNode {
  const given = <span data-arrival-name>{name}</span>;
  return (
    <DashboardFrame name={given} badge={<Skeleton className="h-6.75 w-28" />}>
      <div>
        <h1 className="text-heading wrap-anywhere">
          {beforeName}
          {given}
          {afterName}
        </h1>
        <p role="status" className="mt-2 text-muted">
          {texts.student.loading}
        </p>
      </div>
      <Skeleton className="h-40" />
      <Skeleton className="h-80" />
    </DashboardFrame>
  );
}
