import { Gauge, type Registry } from "prom-client";
import type { Database } from "../db/database.ts";
import { countFailures } from "./failure-queries.ts";

/** Counts mails that wait after a failure and that were given up. While the database is away they keep their last value. */
export function registerMailMetrics(registry: Registry, db: Database): void {
  const failures = new Gauge({
    name: "mail_failures",
    help: "Mails that failed: given up, or waiting for another try",
    labelNames: ["state"],
    registers: [registry],
    async collect() {
      const counts = await countFailures(db).catch(() => undefined);
      if (counts === undefined) return;
      failures.set({ state: "waiting" }, counts.waiting);
      failures.set({ state: "given_up" }, counts.givenUp);
    },
  });
}
