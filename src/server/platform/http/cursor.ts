import { ProductError } from "#domain/messages";

/** An opaque keyset cursor: the sort keys of the last row seen, as strings. */
export function encodeCursor(keys: readonly string[]): string {
  return Buffer.from(JSON.stringify(keys)).toString("base64url");
}

/** The keys of a cursor with as many parts as the list sorts by; throws `invalid_input` for anything else. */
export function decodeCursor(cursor: string, parts: number): string[] {
  try {
    const keys: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (Array.isArray(keys) && keys.length === parts && keys.every((key) => typeof key === "string" && !key.includes("\0"))) {
      return keys as string[];
    }
  } catch {
    // Not ours: answered below like any other wrong cursor.
  }
  throw new ProductError("invalid_input");
}

/** Cuts a result read with one row more than the page, and makes the cursor of what follows. */
export function pageOf<Row>(
  rows: Row[],
  limit: number,
  keysOf: (row: Row) => string[],
): { items: Row[]; next_cursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next_cursor: rows.length > limit && last !== undefined ? encodeCursor(keysOf(last)) : null };
}

export const defaultPageSize = 50;
export const maxPageSize = 100;
