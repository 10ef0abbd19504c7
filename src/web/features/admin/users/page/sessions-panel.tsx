import type { ReactNode } from "react";
import type { UserDetail } from "#domain/api/users";
import { api } from "../../../../platform/api.ts";
import { dateTime } from "../../../../platform/format.ts";
import { Button } from "../../../../ui/button.tsx";
import { Panel, PanelTitle } from "../../../../ui/panel.tsx";
import { toast } from "../../../../ui/toast.tsx";
import { useUserChange } from "./queries.ts";

/** Where the student is signed in, and how to end that. */
export function SessionsPanel({ user: { id, sessions } }: { user: UserDetail }): ReactNode {
  const end = useUserChange(async (session?: UserDetail["sessions"][number]) => {
    if (session) await api.users.endSession({ params: { id, session_id: session.id } });
    else await api.users.endSessions({ params: { id } });
    toast({ title: session ? `Signed out: ${session.device}` : "Signed out everywhere" });
  });
  return (
    <Panel aria-labelledby="sessions">
      <PanelTitle
        id="sessions"
        aside={
          sessions.length > 1 && (
            <Button variant="danger" size="small" disabled={end.isPending} onClick={() => end.mutate(undefined)}>
              End all
            </Button>
          )
        }
      >
        Signed in
      </PanelTitle>
      {sessions.length === 0 && <p className="text-muted">Nowhere.</p>}
      <ul className="divide-y divide-line">
        {sessions.map((session) => (
          <li key={session.id} className="flex items-center justify-between gap-4 py-2.5">
            <div className="min-w-0">
              <p className="font-medium wrap-anywhere">{session.device}</p>
              <p className="figures text-small wrap-anywhere text-muted">
                {session.network}, last used <time dateTime={session.last_seen_at}>{dateTime(session.last_seen_at)}</time>
              </p>
            </div>
            <Button variant="secondary" size="small" disabled={end.isPending} onClick={() => end.mutate(session)}>
              End
              <span className="sr-only">
                {session.device}, {session.network}
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
