import { and, desc, eq, isNotNull, isNull, lte, sql } from "drizzle-orm";
import type { Connection, Transaction } from "../../../platform/db/database.ts";
import { films, storedObjects, videos } from "../../../platform/db/schema.ts";
import { transaction } from "../../../platform/db/transaction.ts";

export type FilmRow = typeof films.$inferSelect;

/** The columns that a process writes while it has the film. */
export type FilmChanges = Partial<Omit<FilmRow, "object_id" | "attempts">>;

/**
 * Claims a film for one attempt: the newest that was never looked at, else the longest due, skipping what others claim at the same
 * time. It is due again only at `leaseEnd`.
 */
export function claimFilm(connection: Connection, at: { now: Date; leaseEnd: Date }): Promise<FilmRow | undefined> {
  return transaction(connection, async (tx) => (await claimNew(tx, at.leaseEnd)) ?? claimDue(tx, at));
}

async function claimNew(tx: Transaction, leaseEnd: Date): Promise<FilmRow | undefined> {
  const isNew = sql`not exists (select from ${films} where ${films.object_id} = ${storedObjects.id})`;
  const [object] = await tx
    .select({ id: storedObjects.id })
    .from(storedObjects)
    .where(and(eq(storedObjects.bucket, "course-videos"), isNull(storedObjects.replaced_by), isNew))
    .orderBy(desc(storedObjects.created_at))
    .limit(1)
    .for("no key update", { skipLocked: true });
  if (object === undefined) return undefined;
  const row = { object_id: object.id, attempts: 1, next_attempt_at: leaseEnd };
  const [claimed] = await tx.insert(films).values(row).onConflictDoNothing().returning();
  return claimed;
}

async function claimDue(tx: Transaction, { now, leaseEnd }: { now: Date; leaseEnd: Date }): Promise<FilmRow | undefined> {
  const due = tx
    .select({ id: films.object_id })
    .from(films)
    .where(lte(films.next_attempt_at, now))
    .orderBy(films.next_attempt_at)
    .limit(1)
    .for("update", { skipLocked: true });
  const [row] = await tx
    .update(films)
    .set({ attempts: sql`${films.attempts} + 1`, next_attempt_at: leaseEnd })
    .where(eq(films.object_id, sql`(${due})`))
    .returning();
  return row;
}

type Attempt = Pick<FilmRow, "object_id" | "attempts">;

/** The film of an attempt, unless another process has taken it, or nothing is left to do. */
const isHeldBy = ({ object_id, attempts }: Attempt) =>
  and(eq(films.object_id, object_id), eq(films.attempts, attempts), isNotNull(films.next_attempt_at));

/** Changes a film that this attempt still has; false when another process has taken it, nothing is left to do, or it is gone. */
export async function updateFilm(connection: Connection, attempt: Attempt, changes: FilmChanges): Promise<boolean> {
  const { rowCount } = await connection.update(films).set(changes).where(isHeldBy(attempt));
  return rowCount === 1;
}

/** Gives up a film after failed attempts; one that was never read is marked as damaged. Returns what `updateFilm` returns. */
export async function giveUpFilm(connection: Connection, attempt: Attempt): Promise<boolean> {
  const playability = sql`coalesce(${films.playability}, 'damaged')`;
  const { rowCount } = await connection.update(films).set({ playability, next_attempt_at: null }).where(isHeldBy(attempt));
  return rowCount === 1;
}

/** Inserts the row of a rewritten film: that of the old one, with the playability `plays`. */
export async function insertRewrittenFilm(
  tx: Transaction,
  { oldId, ...rewritten }: { oldId: string } & Pick<FilmRow, "object_id" | "sha256" | "fragments_at">,
): Promise<void> {
  const [old] = await tx.select().from(films).where(eq(films.object_id, oldId));
  await tx.insert(films).values({ ...old, ...rewritten, playability: "plays", attempts: 0 });
}

/** Locks an object, so that no video takes it until the transaction ends. */
export async function lockObject(tx: Transaction, id: string): Promise<void> {
  // Shorter than PostgreSQL's wait for a deadlock, so that of two transactions this one gives way.
  await tx.execute(sql`set local lock_timeout = '500ms'`);
  const object = tx.select().from(storedObjects).where(eq(storedObjects.id, id));
  // Stryker disable next-line Query: the change of the object later waits for the same lock; a deletion takes it first too.
  await object.for("update");
}

/** Marks an object as replaced, and gives its video the new one. */
export async function replaceObject(tx: Transaction, oldId: string, newId: string, now: Date): Promise<void> {
  await tx.update(storedObjects).set({ replaced_by: newId, replaced_at: now }).where(eq(storedObjects.id, oldId));
  await tx.update(videos).set({ object_id: newId }).where(eq(videos.object_id, oldId));
}
