import type { SubscriptionStatus } from "#domain/packages";
import type { Database } from "../../platform/db/database.ts";
import { pageOf } from "../../platform/http/cursor.ts";
import { findPage, type CourseVideo, type ListPosition } from "./queries.ts";

/** A page of the course without its viewer. */
export interface CoursePage {
  rows: CourseVideo[];
  next_cursor: string | null;
  /** JSON of the rows by tier, kept by whoever writes it. */
  texts: Map<SubscriptionStatus | "admin", (string | undefined)[]>;
}

/** Pages that a process keeps: by far more than courses have, but cursors are the callers' own. */
const maxPages = 100;

interface KeptPages {
  version: string;
  pages: Map<string, CoursePage>;
}

const keptOf = new WeakMap<Database, KeptPages>();

/**
 * Returns a page of at most `limit` videos after a position, of the present version of the course or a newer one. A page is read once for
 * each version: the version is read with every request and changes with the commit of a change, so a kept page is never old, whichever
 * process changed the course.
 */
export async function coursePage(
  db: Database,
  version: string | null,
  limit: number,
  after: ListPosition | undefined,
): Promise<CoursePage> {
  const key = JSON.stringify([limit, after]);
  const kept = keptOf.get(db);
  const known = kept?.version === version ? kept?.pages.get(key) : undefined;
  if (known !== undefined) return known;
  const found = await findPage(db, limit + 1, after);
  const { items, next_cursor } = pageOf(found.rows, limit, (row) => [row.module, String(row.order_index), row.id]);
  const page: CoursePage = { rows: items, next_cursor, texts: new Map() };
  if (found.version !== null) pagesOf(db, found.version).set(key, page);
  return page;
}

/** Returns the kept pages of a version, none where others are kept or too many. */
function pagesOf(db: Database, version: string): Map<string, CoursePage> {
  const kept = keptOf.get(db);
  if (kept?.version === version && kept.pages.size < maxPages) return kept.pages;
  const pages = new Map<string, CoursePage>();
  keptOf.set(db, { version, pages });
  return pages;
}
