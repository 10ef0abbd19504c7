import type { OtherRequest } from "#domain/evidence/shape";
import type { OtherRow } from "./queries.ts";

/** Returns other requests as evidence names them. */
export function otherRequestViews(rows: readonly OtherRow[] = []): OtherRequest[] {
  return rows.map((other) => ({ ...other, created_at: other.created_at.toISOString() }));
}
