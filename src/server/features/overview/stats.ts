import type { DayRevenue, Stats } from "#domain/api/overview";
import { isBackupOverdue } from "#domain/backup-schedule";
import { canonical, decimal } from "#domain/money";
import type { SubscriptionStatus } from "#domain/packages";
import type { Dependencies } from "../../dependencies.ts";
import { findBackupState } from "../../platform/backup/schedule/queries.ts";
import { dayOf, secondsAfter } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { countFailures } from "../../platform/mail/failure-queries.ts";
import { diskReserve, readDisk } from "../../platform/storage/disk/disk-space.ts";
import { objectsIn } from "../../platform/storage/disk/disk-store.ts";
import { findOldestPending, typicalApprovalSeconds } from "../payment-requests/service.ts";
import {
  findAllRevenueDays,
  findAllStudentTotals,
  findAllTierTotals,
  findAllPaymentTotals,
  type RevenueOfDay,
} from "../totals/service.ts";
import { pricesUpdatedAt } from "../wallet-settings/service.ts";
import { countWebhookFailures } from "../webhooks/service.ts";

/** Returns the figures of the shop over the last `days` days, today included, in UTC (STATS-2 to STATS-7, WEBHOOK-5). */
export async function shopStats(deps: Dependencies, days: number): Promise<Stats> {
  const { db } = deps;
  const now = deps.clock.now();
  const [from, to] = [dayOf(secondsAfter(now, -(days - 1) * 24 * 3600)), dayOf(now)];
  const [
    totals,
    oldest,
    typical_approval_seconds,
    revenue,
    students,
    conversion,
    prices_updated_at,
    failures,
    webhooks,
    disk,
    backups,
  ] = await Promise.all([
    findAllPaymentTotals(db),
    findOldestPending(db),
    typicalApprovalSeconds(deps),
    findAllRevenueDays(db, from, to),
    studentsOfTiers(db),
    conversionOf(db, from, to),
    pricesUpdatedAt(db),
    countFailures(db),
    webhooksOf(deps),
    diskOf(deps),
    backupsOf(deps),
  ]);
  const pending = totals.filter(({ status }) => status === "pending");
  const approved = totals.filter(({ status }) => status === "approved");
  return {
    pending: {
      requests: sumOf(pending),
      flagged: sumOf(pending.filter(({ flagged }) => flagged)),
      oldest_at: oldest?.toISOString() ?? null,
    },
    typical_approval_seconds,
    from,
    to,
    revenue: revenue.map(dayRevenue),
    revenue_usd: usdOf(revenue),
    all_time: { approved: sumOf(approved), revenue_usd: usdOf(approved) },
    students,
    conversion,
    prices_updated_at,
    mails: { failed: failures.givenUp, waiting: failures.waiting },
    webhooks,
    disk,
    backups,
  };
}

const sumOf = (totals: { requests: number }[]): number => totals.reduce((sum, { requests }) => sum + requests, 0);

function usdOf(totals: { amount_usd: string }[]): string {
  return canonical(totals.reduce((sum, { amount_usd }) => sum.plus(amount_usd), decimal("0")));
}

function dayRevenue({ day, method, package_type, requests, amount_usd }: RevenueOfDay): DayRevenue {
  const crypto_type = method === "none" ? null : method;
  return { day, crypto_type, package_type, approved: requests, amount_usd: canonical(amount_usd) };
}

async function studentsOfTiers(db: Database): Promise<Record<SubscriptionStatus, number>> {
  const totals = Object.fromEntries((await findAllTierTotals(db)).map(({ tier, students }) => [tier, students]));
  return { unpaid: 0, starter: 0, advanced: 0, ...totals };
}

/** The steps as the totals count them: a student is at one of them alone. */
async function conversionOf(db: Database, from: string, to: string): Promise<Stats["conversion"]> {
  const totals = await findAllStudentTotals(db, from, to);
  const atLeast = (least: number): number =>
    totals.reduce((sum, { step, students }) => (step >= least ? sum + students : sum), 0);
  return { signed_up: atLeast(0), verified: atLeast(1), submitted: atLeast(2), approved: atLeast(3) };
}

/** What uploads may still use, without the reserve (FILE-8). Where the files have a disk of their own, that of the database is named only while it is low. */
async function diskOf({ config: { files, s3 } }: Dependencies): Promise<Stats["disk"]> {
  const folders = s3 === undefined ? [objectsIn(files.dataDir), files.dataDir] : [files.dataDir];
  const disks = await Promise.all(folders.map(roomOf));
  return disks.find((disk) => disk?.is_low) ?? disks[0] ?? null;
}

async function roomOf(folder: string): Promise<Stats["disk"]> {
  const usage = await readDisk(folder).catch(() => undefined);
  if (usage === undefined) return null;
  const reserve = diskReserve(usage.total);
  return { free_bytes: Math.max(0, usage.free - reserve), total_bytes: usage.total, is_low: usage.free < 2 * reserve };
}

async function webhooksOf({ config, db }: Dependencies): Promise<Stats["webhooks"]> {
  if (config.webhooks.url === undefined) return null;
  const { givenUp, waiting } = await countWebhookFailures(db);
  return { failed: givenUp, waiting };
}

/** The scheduled backups (BACKUP-6); null where none is scheduled. */
async function backupsOf({ config, db, clock }: Dependencies): Promise<Stats["backups"]> {
  const { everySeconds } = config.backups;
  if (everySeconds === 0) return null;
  const state = await findBackupState(db);
  return {
    last_good_at: state.lastGoodAt?.toISOString() ?? null,
    failures: state.failures,
    problem: state.problem,
    lost_files: state.lostFiles,
    is_overdue: isBackupOverdue(state, everySeconds, clock.now()),
  };
}
