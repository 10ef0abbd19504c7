import { ilike, or, type Column, type SQL } from "drizzle-orm";

/** Returns the condition that one of the columns contains a text, in any letter case; `%`, `_` and `\` have no special meaning. */
export function containsText(text: string, ...columns: Column[]): SQL | undefined {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return or(...columns.map((column) => ilike(column, pattern)));
}
