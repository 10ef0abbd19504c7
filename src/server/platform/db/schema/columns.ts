import { customType, timestamp } from "drizzle-orm/pg-core";

export const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });
/** A point in time, independent of time zones. */
export const timestamptz = (name: string) => timestamp(name, { withTimezone: true });
