import { Gauge, type Registry } from "prom-client";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { findBackupState } from "./queries.ts";

/** The age of the last good scheduled backup, and how many failed since (BACKUP-6). While the database is away the values stay. */
export function registerBackupMetrics(registry: Registry, { db, clock }: { db: Database; clock: Clock }): void {
  const state = () => findBackupState(db).catch(() => undefined);
  const failures = new Gauge({
    name: "backup_failures",
    help: "Scheduled backups that failed since the last good one",
    registers: [],
    async collect() {
      const found = await state();
      if (found) this.set(found.failures);
    },
  });
  const age = new Gauge({
    name: "backup_age_seconds",
    help: "Age of the last good scheduled backup; no value before the first",
    registers: [],
    async collect() {
      const found = await state();
      if (found?.lastGoodAt === null) this.remove();
      else if (found) this.set((clock.now().getTime() - found.lastGoodAt.getTime()) / 1000);
    },
  });
  for (const gauge of [failures, age]) registry.registerMetric(gauge);
}
