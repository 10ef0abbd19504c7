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
        <div className="order-last flex min-w-0 basis-full items-center justify-between gap-3 sm:order-none sm:grow sm:basis-48 sm:justify-start">
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

/** In the place of what is still read. `name` is of whoever is signed in. */
export function DashboardLoading({ name }: { name: ReactNode }): ReactNode {
  return (
    <>
      <div>
        <h1 className="text-heading wrap-anywhere">
          {beforeName}
          {name}
          {afterName}
        </h1>
        <p role="status" className="mt-2 text-muted">
          {texts.student.loading}
        </p>
      </div>
      <Skeleton className="h-40" />
      <Skeleton className="h-80" />
    </>
  );
}

/** The dashboard before it is known whose it is; its HTML arrives before there is a script (JOURNEY-6), and `public/arrival.js` writes the name. */
export function StudentLoading(): ReactNode {
  const name = <span data-arrival-name>{storedName()}</span>;
  return (
    <DashboardFrame name={name} badge={<Skeleton className="h-6.75 w-28" />}>
      <DashboardLoading name={name} />
    </DashboardFrame>
  );
}
