import type { OtherRow } from "./queries.ts";

/** Returns other requests as evidence names them. */
export function otherRequestViews<Row extends OtherRow>(rows: readonly Row[] = []) {
  return rows.map((other) => ({ ...other, created_at: other.created_at.toISOString() }));
}
