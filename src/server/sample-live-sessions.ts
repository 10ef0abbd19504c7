import { inArray } from "drizzle-orm";
import { plannedUntil } from "#domain/live-sessions/occurrences";
import { planOccurrences } from "./features/live-sessions/plan.ts";
import * as queries from "./features/live-sessions/queries.ts";
import { recordAudit, type Actor } from "./platform/audit.ts";
import type { Transaction } from "./platform/db/database.ts";
import { liveSessions } from "./platform/db/schema.ts";

/** Two evenings a week in Bangkok, as Advanced promises. The first days are a Monday and a Thursday. */
const samples = [
  {
    title: "The week ahead",
    description: "What moved the markets last week, the levels that matter now, and your questions.",
    date: "2026-11-02",
  },
  {
    title: "Trade review",
    description: "We go through trades of the week on the chart: what was planned, what was done, and what to keep.",
    date: "2026-11-05",
  },
];
const same = {
  join_url: "https://meet.example.com/sample-live-session",
  time: "19:00",
  time_zone: "Asia/Bangkok",
  duration_minutes: 90,
  weekly: true,
  ends_on: null,
};

/** Adds the missing weekly sample sessions, identified by their title; returns how many. */
export async function addSampleLiveSessions(tx: Transaction, actor: Actor, now: Date): Promise<number> {
  const titles = samples.map(({ title }) => title);
  const known = await tx.select({ title: liveSessions.title }).from(liveSessions).where(inArray(liveSessions.title, titles));
  const missing = samples.filter(({ title }) => !known.some((session) => session.title === title));
  for (const sample of missing) {
    const plan = { ...same, ...sample };
    const planned_until = plannedUntil(plan, now);
    const row = (await queries.insertSession(tx, { ...plan, planned_until, created_at: now, updated_at: now }))!;
    await planOccurrences(tx, row, now);
    await recordAudit(tx, actor, {
      at: now,
      action: "live-session.create",
      subject: { type: "live-session", id: row.id },
      details: { title: plan.title, after: plan },
    });
  }
  return missing.length;
}
