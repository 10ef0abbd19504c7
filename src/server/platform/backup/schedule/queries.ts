import { and, desc, eq, isNull } from "drizzle-orm";
import type { BackupHistory } from "#domain/backup-schedule";
import type { Connection } from "../../db/database.ts";
import { backupRuns } from "../../db/schema.ts";

export type BackupRun = typeof backupRuns.$inferSelect;

/** What the runs come to, with the problem of the newest one that failed. */
export interface BackupState extends BackupHistory {
  problem: string | null;
  /** How many failed since the last good one. */
  failures: number;
  /** Stored files that the newest backup lacks. */
  lostFiles: number;
}

/** Returns whether a backup is known to lack stored files. */
export const lacksFiles = ({ lost_files }: BackupRun): boolean => (lost_files ?? 0) > 0;

/** Returns all runs, the newest first: by their order, not by their times, since clocks are set back. */
export function findAllRuns(connection: Connection): Promise<BackupRun[]> {
  return connection.select().from(backupRuns).orderBy(desc(backupRuns.id));
}

/** Returns the state that the overview, the metrics and the job read. */
export async function findBackupState(connection: Connection): Promise<BackupState> {
  const ended = (await findAllRuns(connection)).filter((run) => run.ended_at !== null);
  const lastGood = ended.find((run) => run.size !== null && !lacksFiles(run));
  const failed = ended.slice(0, lastGood && ended.indexOf(lastGood)).filter((run) => run.size === null);
  return {
    startedAt: ended[0]?.started_at ?? null,
    failedAt: ended[0]?.size === null ? ended[0].ended_at : null,
    lastGoodAt: lastGood?.started_at ?? null,
    failures: failed.length,
    problem: failed[0]?.problem ?? null,
    lostFiles: ended.find((run) => run.size !== null)?.lost_files ?? 0,
  };
}

/** Returns the new run, or undefined while another one is being written. */
export async function insertRun(
  connection: Connection,
  run: Pick<BackupRun, "path" | "started_at" | "lease_until">,
): Promise<BackupRun | undefined> {
  const [row] = await connection.insert(backupRuns).values(run).onConflictDoNothing().returning();
  return row;
}

export async function renewLease(connection: Connection, { id }: BackupRun, leaseUntil: Date): Promise<void> {
  await connection
    .update(backupRuns)
    .set({ lease_until: leaseUntil })
    .where(and(eq(backupRuns.id, id), isNull(backupRuns.ended_at)));
}

/** Stores why a run that stays open seems to have failed. */
export async function storeProblem(connection: Connection, { id }: BackupRun, problem: string): Promise<void> {
  await connection
    .update(backupRuns)
    .set({ problem })
    .where(and(eq(backupRuns.id, id), isNull(backupRuns.ended_at)));
}

/** Stores that a backup was written, also of a run that was given up meanwhile. */
export async function storeWrittenRun(
  connection: Connection,
  { id }: BackupRun,
  outcome: { ended_at: Date; size: number; lost_files: number | null },
): Promise<void> {
  await connection
    .update(backupRuns)
    .set({ lease_until: null, problem: null, ...outcome })
    .where(eq(backupRuns.id, id));
}

/** Stores that a run failed. Returns false when it has ended already. */
export async function storeFailedRun(
  connection: Connection,
  { id }: BackupRun,
  endedAt: Date,
  problem: string,
): Promise<boolean> {
  const { rowCount } = await connection
    .update(backupRuns)
    .set({ lease_until: null, ended_at: endedAt, problem })
    .where(and(eq(backupRuns.id, id), isNull(backupRuns.ended_at)));
  return rowCount === 1;
}

export async function deleteRun(connection: Connection, { id }: BackupRun): Promise<void> {
  await connection.delete(backupRuns).where(eq(backupRuns.id, id));
}
