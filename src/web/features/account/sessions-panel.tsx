import { Monitor, Smartphone } from "lucide-react";
import type { ReactNode } from "react";
import type { OwnSession } from "#domain/api/account";
import { isBeyondUser, messageOf } from "../../platform/errors.ts";
import { dateTime } from "../../platform/format.ts";
import { useNextPage } from "../../platform/query/use-next-page.ts";
import { Badge } from "../../ui/badge.tsx";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { LoadError } from "../../ui/load-error.tsx";
import { Panel, PanelTitle } from "../../ui/panel.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useEndSessions, useSessions } from "./queries.ts";

/** Where the account is signed in, and how to end that (OWN-1). */
export function SessionsPanel(): ReactNode {
  const sessions = useSessions();
  const next = useNextPage(sessions);
  const ending = useEndSessions();
  const items = sessions.data ?? [];
  return (
    <Panel aria-labelledby="account-sessions">
      <PanelTitle id="account-sessions">Where you are signed in</PanelTitle>
      <div className="grid gap-4">
        <LoadError error={sessions.error} fallback="unavailable" onRetry={() => void sessions.refetch()} isInPanel />
        {ending.error && !sessions.error && (
          <Banner tone="loss" offersHelp={isBeyondUser(ending.error)}>
            {messageOf(ending.error, "unavailable")}
          </Banner>
        )}
        {sessions.isPending && <Skeleton className="h-24" />}
        <ul className="divide-y divide-line">
          {items.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              isBusy={ending.isPending}
              onEnd={() => ending.mutate({ id: session.id })}
            />
          ))}
        </ul>
        <div className="flex flex-wrap gap-3 empty:hidden">
          {sessions.hasNextPage && (
            <Button variant="secondary" size="small" disabled={next.isReading} onClick={next.read}>
              Show more
            </Button>
          )}
          {items.length > 1 && (
            <Button variant="danger" size="small" disabled={ending.isPending} onClick={() => ending.mutate("others")}>
              Sign out all others
            </Button>
          )}
        </div>
        <p role="status" className="sr-only">
          {ending.isSuccess ? "Signed out." : ""}
        </p>
      </div>
    </Panel>
  );
}

interface SessionRowProps {
  session: OwnSession;
  isBusy: boolean;
  onEnd: () => void;
}

function SessionRow({ session, isBusy, onEnd }: SessionRowProps): ReactNode {
  const { device, network } = session;
  const Icon = /iPhone|iPad|Android/.test(device) ? Smartphone : Monitor;
  return (
    <li className="grid grid-cols-[1fr_auto] items-center gap-x-4 py-3">
      <div className="flex min-w-0 gap-3">
        <Icon aria-hidden className="mt-1 size-4.5 shrink-0 text-muted" />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
            {device}
            {session.current && <Badge tone="gain">This device</Badge>}
          </p>
          <p className="figures text-small wrap-anywhere text-muted">{network}</p>
          <p className="figures text-small text-muted">
            Last used <time dateTime={session.last_seen_at}>{dateTime(session.last_seen_at)}</time>
          </p>
          <p className="figures text-small text-muted">
            Since <time dateTime={session.created_at}>{dateTime(session.created_at)}</time>
          </p>
        </div>
      </div>
      {!session.current && (
        <Button variant="secondary" size="small" disabled={isBusy} onClick={onEnd}>
          Sign out
          <span className="sr-only">
            {device}, {network}
          </span>
        </Button>
      )}
    </li>
  );
}
