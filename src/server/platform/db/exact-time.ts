import { sql, type SQL, type SQLWrapper } from "drizzle-orm";

/** Returns a time for a cursor: with microseconds, which a JavaScript date loses, so that a page neither repeats nor skips a row. */
export const exactTime = (time: SQLWrapper): SQL<string> =>
  sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
