import type { GuardedChanges } from "#domain/api/payments/guard";
import { listChanges } from "#domain/guard/changes";
import type { GuardedChangeRow } from "./queries.ts";

/** Returns a change of where payments go, with who made it from where (GUARD-3). */
export function guardedChangeView(row: GuardedChangeRow): GuardedChanges["items"][number] {
  return {
    id: row.id,
    at: row.at.toISOString(),
    changes: listChanges(row.fields),
    by: row.actor_email,
    network: row.ip,
    device: row.device,
    undo_until: row.undo_until.toISOString(),
    undone_at: row.undone_at?.toISOString() ?? null,
  };
}
