import { Gauge, type Registry } from "prom-client";
import type { Config } from "../../../config.ts";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { findBackupState } from "./queries.ts";

/**
 * The age of the last good scheduled backup, and how many failed since; no values where none is scheduled (BACKUP-6). While the database is
 * away the values stay.
 */
export function registerBackupMetrics(
  registry: Registry,
  { config, db, clock }: { config: Config; db: Database; clock: Clock },
): void {
  const failures = new Gauge({
    name: "backup_failures",
    help: "Scheduled backups that failed since the last good one; no value where none is scheduled",
    registers: [registry],
    async collect() {
      const found = await state();
      if (found) this.set(found.failures);
    },
  });
  const age = new Gauge({
    name: "backup_age_seconds",
    help: "Age of the last good scheduled backup; no value before the first, and where none is scheduled",
    registers: [registry],
    async collect() {
      const found = await state();
      if (found?.lastGoodAt === null) this.remove();
      else if (found) this.set((clock.now().getTime() - found.lastGoodAt.getTime()) / 1000);
    },
  });
  // A gauge begins at 0, which would be a fresh backup.
  for (const gauge of [failures, age]) gauge.remove();

  async function state() {
    return config.backups.everySeconds === 0 ? undefined : findBackupState(db).catch(() => undefined);
  }
}
