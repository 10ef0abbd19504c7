import { Gauge, type Registry } from "prom-client";
import type { Dependencies } from "../../dependencies.ts";
import { countWebhookFailures } from "./queries.ts";

/** Counts events that wait after a failure and that were given up (WEBHOOK-5). While the database is away they keep their last value. */
export function registerWebhookMetrics(registry: Registry, { db }: Pick<Dependencies, "db">): void {
  const failures = new Gauge({
    name: "webhook_failures",
    help: "Webhook events that failed: given up, or waiting for another try",
    labelNames: ["state"],
    registers: [registry],
    async collect() {
      const counts = await countWebhookFailures(db).catch(() => undefined);
      if (counts === undefined) return;
      failures.set({ state: "waiting" }, counts.waiting);
      failures.set({ state: "given_up" }, counts.givenUp);
    },
  });
}
