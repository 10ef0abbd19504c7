import type { OwnSession } from "#domain/api/account";
import { deviceName } from "#domain/accounts/device";
import type { SessionRow } from "./queries.ts";

/** Returns a session as the admin sees it. */
export function sessionView(row: SessionRow): Omit<OwnSession, "current"> {
  return {
    id: row.id,
    device: deviceName(row.user_agent),
    network: row.network,
    created_at: row.created_at.toISOString(),
    last_seen_at: (row.last_seen_at ?? row.created_at).toISOString(),
  };
}

/** Returns a session for the list of the caller's sessions (OWN-1). */
export function ownSessionView(row: SessionRow, currentId: string): OwnSession {
  return { ...sessionView(row), current: row.id === currentId };
}
