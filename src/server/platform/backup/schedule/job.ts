import { isBackupDue } from "#domain/backup-schedule";
import { clockToleranceSeconds } from "#domain/clock-tolerance";
import type { Config } from "../../../config.ts";
import { BackgroundJob, type JobParts } from "../../background-job.ts";
import { secondsAfter, type Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { transaction } from "../../db/transaction.ts";
import { originWithoutRequest } from "../../http/origin.ts";
import { errorLine } from "../../logging/describe-error.ts";
import type { Outbox } from "../../mail/outbox.ts";
import type { BackupFile } from "../backup-file.ts";
import { backupFile } from "../choose-file.ts";
import { isBackupRunning } from "../is-running.ts";
import { failedBackupMail, lackingBackupMail } from "./mail.ts";
import type { WriteBackup } from "./process.ts";
import * as queries from "./queries.ts";
import type { BackupRun } from "./queries.ts";

/** A backup begins at most this late. */
const pollMs = 60_000;

/** Seconds that a process has a backup without a renewal, and between two renewals. */
const leaseSeconds = 300;
const renewEverySeconds = 60;

export interface BackupJobParts extends JobParts {
  config: Config;
  db: Database;
  clock: Clock;
  outbox: Outbox;
  write: WriteBackup;
}

/** Makes a backup every `BACKUP_EVERY` in one of the processes (BACKUP-4, BACKUP-5). Does nothing when that is off. */
export function backupJob(parts: BackupJobParts): BackgroundJob {
  const tasks = [{ failure: "The scheduled backup waits", run: (stop: AbortSignal) => backUpWhenDue(parts, stop) }];
  return new BackgroundJob({ ...parts, pollMs, tasks: parts.config.backups.everySeconds > 0 ? tasks : [] });
}

async function backUpWhenDue(parts: BackupJobParts, stop: AbortSignal): Promise<void> {
  const { config, db, clock } = parts;
  // Another one is no failure: one by hand is waited for, and so is that of a process that hangs.
  if (stop.aborted || (await isBackupRunning(db))) return;
  const running = (await queries.findAllRuns(db)).find(({ ended_at }) => ended_at === null);
  if (running && !isOver(running, clock.steady())) return;
  if (running) await end(parts, running, reportOf(running, clock.steady()), stop);
  const now = clock.now();
  if (!isBackupDue(await queries.findBackupState(db), config.backups.everySeconds, now)) return;
  const lease_until = secondsAfter(clock.steady(), leaseSeconds);
  const run = await queries.insertRun(db, { path: pathOfBackup(config.backups.dir, now), started_at: now, lease_until });
  if (run) await write(parts, run, stop);
}

/** A lease that lies further ahead than another process's clock may be is of a clock that was wrong. */
function isOver({ lease_until }: BackupRun, now: Date): boolean {
  return lease_until === null || lease_until <= now || lease_until > secondsAfter(now, leaseSeconds + clockToleranceSeconds);
}

/** What is known of a run that has ended; nothing of a process that was killed. */
interface Report {
  failure?: unknown;
  lostFiles?: number;
  /** Whether it has no backup where its place cannot be reached. */
  isFinal?: boolean;
}

/** Whether a backup is there is asked for an hour; a place that cannot be reached so long has none. */
function reportOf({ lease_until, problem }: BackupRun, now: Date): Report {
  const isFinal = lease_until !== null && lease_until <= secondsAfter(now, -3600);
  const known = problem ?? (isFinal ? "It was not finished, or its place was not reached for an hour." : undefined);
  return { isFinal, failure: known === undefined ? undefined : new Error(known) };
}

/** Returns the path of a backup that is begun now: `pipwright-2026-11-22T03-00-00.000Z.tar`. */
const pathOfBackup = (folder: string, now: Date): string =>
  `${folder.replace(/\/$/, "")}/pipwright-${now.toISOString().replaceAll(":", "-")}.tar`;

const fileOf = ({ config }: BackupJobParts, { path }: BackupRun): Promise<BackupFile> => backupFile(path, config.s3Account);

async function write(parts: BackupJobParts, run: BackupRun, stop: AbortSignal): Promise<void> {
  const { db, clock } = parts;
  const renew = (): Promise<void> => queries.renewLease(db, run, secondsAfter(clock.steady(), leaseSeconds));
  // An outage may pass before the lease ends.
  const timer = setInterval(() => void renew().catch(() => {}), renewEverySeconds * 1000).unref();
  const report = await fileOf(parts, run)
    .then((file) => file.makeFolder())
    .then(
      () =>
        parts.write(run.path, stop).then(
          (lostFiles): Report => ({ lostFiles }),
          (failure: unknown): Report => ({ failure }),
        ),
      // Nothing was written.
      (failure: unknown): Report => ({ failure, isFinal: true }),
    )
    .finally(() => clearInterval(timer));
  await end(parts, run, report, stop);
}

/**
 * Ends a run, also one of a process that was killed or that seemed to fail: its backup is good where it has its name. Leaves it open where its place
 * cannot be reached. Throws then, but of a failure that is known only once.
 */
async function end(parts: BackupJobParts, run: BackupRun, report: Report, stop: AbortSignal): Promise<void> {
  const { failure, lostFiles } = report;
  // A bucket may not be named any more.
  const file = await fileOf(parts, run).catch(() => undefined);
  let size: number | undefined;
  try {
    size = await file?.size();
  } catch (error) {
    const isStopped = failure !== undefined && stop.aborted;
    if (!report.isFinal && !isStopped) {
      if (run.problem !== null) return;
      if (failure !== undefined) await queries.storeProblem(parts.db, run, errorLine(failure));
      throw error;
    }
  }
  if (size !== undefined) return keep(parts, run, { size, lost_files: lostFiles ?? null });
  await file?.removeDrafts().catch(() => {});
  // A stop is no failure: the next start begins anew.
  const ended = failure ?? new Error("The process that wrote it was ended.");
  await (stop.aborted ? queries.deleteRun(parts.db, run) : fail(parts, run, ended));
}

interface Written {
  size: number;
  lost_files: number | null;
}

/** Only now older ones are removed, of those that this job has made (BACKUP-5). The admin gets one mail about the first that lacks files. */
async function keep(parts: BackupJobParts, run: BackupRun, written: Written): Promise<void> {
  const { config, db, clock, outbox } = parts;
  const { lostFiles } = await transaction(db, async (tx) => {
    const before = await queries.findBackupState(tx);
    await queries.storeWrittenRun(tx, run, { ended_at: clock.now(), ...written });
    const state = await queries.findBackupState(tx);
    if (before.lostFiles === 0 && state.lostFiles > 0)
      await outbox.enqueue(tx, lackingBackupMail(siteOf(parts), config.admin.email, state));
    return state;
  });
  if (lostFiles > 0) parts.onError("The scheduled backup lacks stored files", new Error(`Missing or damaged: ${lostFiles}`));
  for (const old of replaced(await queries.findAllRuns(db), config.backups.keep)) {
    // One that cannot be reached now is removed after a later backup.
    try {
      await (await fileOf(parts, old)).remove();
      await queries.deleteRun(db, old);
    } catch (error) {
      parts.onError(`The old backup ${old.path} could not be removed`, error);
    }
  }
}

/**
 * Returns the runs that so many newer ones take the place of. One that lacks files, or may, takes that of such ones alone: the rest may have
 * them. A run that failed may have a file too: its place could not be reached.
 */
function replaced(runs: readonly BackupRun[], enough: number): BackupRun[] {
  return runs.filter((run, index) => {
    const replaces = (other: BackupRun): boolean => other.lost_files === 0 || (queries.lacksFiles(run) && other.size !== null);
    const newer = runs.slice(0, index).filter(replaces);
    return run.ended_at !== null && newer.length >= (run.problem === null ? enough : 1);
  });
}

const siteOf = ({ config }: BackupJobParts) => ({ site: config.site, origin: originWithoutRequest(config.server) });

/** The admin gets one mail, at the first failure after a backup that was written. */
async function fail(parts: BackupJobParts, run: BackupRun, error: unknown): Promise<void> {
  const { config, db, clock, outbox } = parts;
  const problem = errorLine(error);
  const isStored = await transaction(db, async (tx) => {
    const { failedAt, lastGoodAt } = await queries.findBackupState(tx);
    if (!(await queries.storeFailedRun(tx, run, clock.now(), problem))) return false;
    if (failedAt !== null) return true;
    await outbox.enqueue(tx, failedBackupMail(siteOf(parts), config.admin.email, { problem, lastGoodAt }));
    return true;
  });
  if (isStored) parts.onError("The scheduled backup failed", error);
}
