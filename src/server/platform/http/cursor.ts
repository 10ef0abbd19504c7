import * as z from "zod/mini";
import { id } from "#domain/api/fields";
import { ProductError } from "#domain/errors/messages";
import { parseJson } from "../parse-json.ts";
import { isText } from "./text-input.ts";

/** Returns an opaque keyset cursor of the sort keys of the last row. */
function encodeCursor(keys: readonly string[]): string {
  return Buffer.from(JSON.stringify(keys)).toString("base64url");
}

/** Schemas of sort keys that the database accepts. */
export const cursorKey = {
  id,
  text: z.string().check(z.refine(isText)),
  /** With microseconds, as `exactTime` writes it. PostgreSQL has no year 0. */
  time: z.iso.datetime({ precision: 6 }).check(z.regex(/^(?!0000)/)),
  number: z.string().check(z.regex(/^\d{1,9}$/)),
};

/** Returns the keys of a cursor, one for each schema. Throws `invalid_input` for any other text. */
export function decodeCursor<const Keys extends readonly z.ZodMiniType<string>[]>(
  cursor: string,
  keys: Keys,
): { [Index in keyof Keys]: string } {
  const decoded = parseJson(Buffer.from(cursor, "base64url").toString("utf8"));
  const isValid = Array.isArray(decoded) && decoded.length === keys.length;
  if (!isValid || !keys.every((key, index) => key.safeParse(decoded[index]).success)) throw new ProductError("invalid_input");
  return decoded as { [Index in keyof Keys]: string };
}

/** Which page of a list a caller asks for. */
export interface PageQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
}

export interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

/** Returns a page and the cursor of the next one. `rows` were read with one row more than the page. */
export function pageOf<Row>(rows: Row[], limit: number, keysOf: (row: Row) => string[]): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next_cursor: rows.length > limit && last !== undefined ? encodeCursor(keysOf(last)) : null };
}

export const defaultPageSize = 50;
export const maxPageSize = 100;
