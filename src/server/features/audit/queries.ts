import { and, desc, eq, lt, sql, type SQL } from "drizzle-orm";
import type { AuditFilter } from "#domain/api/audit";
import { withBareAmounts } from "#domain/search";
import { containsText, searchKeys } from "../../platform/db/search/contains-text.ts";
import type { Connection } from "../../platform/db/database.ts";
import { auditLog } from "../../platform/db/schema.ts";
import { keysOfStep, searchSteps } from "../../platform/db/search/search-steps.ts";

export type AuditRow = typeof auditLog.$inferSelect;

const { id, actor_email, action, subject_type, subject_id, ip, details } = auditLog;

const blockSize = 16_384;
const inBlocks = sql.raw(String(blockSize));

/** The details with blanks for quotes, so that values begin words, and for what JSON writes with a backslash. */
const values = sql`regexp_replace(${details}::text, '\\\\["\\\\bfnrt]|"', ' ', 'g')`;
/** What `audit_log_search` is an index of, in blocks of ids. */
const text = sql`${actor_email} || ' ' || ${action} || ' ' || ${subject_type} || ' ' || ${subject_id} || ' ' || ${ip} || ' ' || ${values}`;
const form = sql`search_form(${text})`;
const pair = sql`${actor_email} || ' action:' || ${action}`;
const tags = sql`array[lower('actor:' || ${actor_email}), lower('action:' || ${action}), lower('subject:' || ${subject_id}), lower('actor:' || ${pair})]`;
const indexedKeys = sql`search_keys(${form}, ${tags}, (${id} / ${inBlocks})::text || ':')`;

interface AuditPage {
  /** The id of the last entry of the page before. */
  before: number | undefined;
  limit: number;
}

/** So many of the newest entries are read before the search index is: a word that many entries have fills a page from them. */
const glanceSize = 256;

/** Returns entries that pass a filter, newest first. */
export async function findAllEntries(connection: Connection, filter: AuditFilter, page: AuditPage): Promise<AuditRow[]> {
  // Each kind of subject is a word of the text, and alone it has no index in order.
  const words = searchKeys(`${plainSearch(filter)} ${filter.subject ? "" : (filter.subject_type ?? "")}`);
  const filters = filterKeys(filter);
  // A single filter has an index in order.
  if (words.length === 0 && [filter.actor, filter.action, filter.subject].filter(Boolean).length <= 1) {
    return findAllInOrder(connection, filter, page);
  }
  const newest = page.limit < glanceSize ? await findAllOfNewest(connection, filter, page) : [];
  return newest.length === page.limit ? newest : findAllByBlock(connection, filter, [...words, ...filters], page);
}

/** Returns the search with blanks where the text has them, and amounts as it has them. */
const plainSearch = ({ search = "" }: AuditFilter): string => withBareAmounts(search.replace(/["\\]/g, " "));

/** Both of the actor and the action in one key: entries of each may be many where those of both are few. */
function filterKeys({ actor, action: named, subject }: AuditFilter): string[] {
  const both = [actor && `actor:${actor}`, named && `action:${named}`].filter(Boolean).join(" ");
  return [both, subject ? `subject:${subject}` : ""].filter(Boolean);
}

function findAllInOrder(connection: Connection, filter: AuditFilter, { before, limit }: AuditPage): Promise<AuditRow[]> {
  return connection
    .select()
    .from(auditLog)
    .where(and(passes(filter), before === undefined ? undefined : lt(id, before)))
    .orderBy(desc(id))
    .limit(limit);
}

function findAllOfNewest(connection: Connection, filter: AuditFilter, { before, limit }: AuditPage): Promise<AuditRow[]> {
  // Under the name of the table, for the conditions, which the limit keeps out of here.
  const newest = connection
    .select()
    .from(auditLog)
    .where(before === undefined ? undefined : lt(id, before))
    .orderBy(desc(id))
    .limit(glanceSize)
    .as("audit_log");
  return connection.select().from(newest).where(matches(filter)).orderBy(desc(id)).limit(limit);
}

/** Reads the entries of one block of ids after another from the search index until the page is full. */
function findAllByBlock(
  connection: Connection,
  filter: AuditFilter,
  keys: string[],
  { before, limit }: AuditPage,
): Promise<AuditRow[]> {
  const newest = sql`(select max(${id}) from ${auditLog})`;
  const blocks = searchSteps({
    first: sql`${before === undefined ? newest : sql`least(${before}::bigint, ${newest})`} / ${inBlocks}`,
    last: sql`(select min(${id}) from ${auditLog}) / ${inBlocks}`,
    isDescending: true,
  });
  // The ids alone, because thousands of them are sorted for a word that many entries have. In no index's order: PostgreSQL would read all entries in
  // that, and compute the keys of each.
  const place = sql<number>`${id} + 0`;
  const candidates = connection
    .select({ id, place: place.as("place") })
    .from(auditLog)
    .where(sql`${indexedKeys} @> ${keysOfStep(keys)}`)
    .orderBy(desc(place))
    .limit(blockSize)
    .as("candidates");
  // Under the name of the table, for the conditions below. The limits keep them out of here: other indexes would be read for each block, and the
  // texts of entries past the page.
  const entry = connection.select().from(auditLog).where(eq(id, candidates.id)).limit(1).as("audit_log");
  const found = connection
    .select(entry._.selectedFields)
    .from(candidates)
    .crossJoinLateral(entry)
    .where(and(matches(filter), before === undefined ? undefined : lt(id, before)))
    .orderBy(desc(candidates.place))
    .limit(limit)
    .as("found");
  return connection
    .select(found._.selectedFields)
    .from(blocks)
    .crossJoinLateral(found)
    .orderBy(desc(sql`step`), desc(found.id))
    .limit(limit);
}

function matches(filter: AuditFilter): SQL | undefined {
  return and(passes(filter), containsText(plainSearch(filter), form, sql`lower(${text})`));
}

function passes(filter: AuditFilter): SQL | undefined {
  return and(
    filter.actor ? eq(actor_email, filter.actor) : undefined,
    filter.action ? eq(action, filter.action) : undefined,
    filter.subject ? eq(subject_id, filter.subject) : undefined,
    filter.subject_type ? eq(subject_type, filter.subject_type) : undefined,
  );
}
