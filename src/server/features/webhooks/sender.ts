import { secondsAfter } from "../../platform/clock.ts";
import { DeliveryWorker } from "../../platform/delivery-worker.ts";
import type { ChangeFeed } from "../../platform/realtime/changes.ts";
import { throttled } from "../../platform/throttled.ts";
import { deliver, type DeliveryParts } from "./deliver.ts";
import * as queries from "./queries.ts";

/** How long a process may take for one attempt before another process may try. */
const leaseSeconds = 30;

export interface WebhookParts extends DeliveryParts {
  changes: Pick<ChangeFeed, "subscribe">;
  /** How often to look for events that are due again, in milliseconds. */
  pollMs?: number;
}

/** The sender of one process, with its worker for tests to look at. */
export interface WebhookSender {
  readonly worker: DeliveryWorker<queries.EventRow>;
  stop(): Promise<void>;
}

/**
 * Starts sending events to `WEBHOOK_URL`; returns undefined without one. It wakes when any process writes an event, and every few seconds for
 * those that failed before. `stop` waits a few seconds for events on their way.
 */
export function startWebhooks(parts: WebhookParts): WebhookSender | undefined {
  const { config, clock, db, changes, onError, pollMs = 5000 } = parts;
  if (config.webhooks.url === undefined) return undefined;
  const lease = () => ({ now: clock.steady(), leaseEnd: secondsAfter(clock.steady(), leaseSeconds) });
  const worker = new DeliveryWorker<queries.EventRow>({
    clock,
    pollMs,
    onError: (error) => onError("Webhooks wait", error),
    endFutureWaits: () => queries.endFutureWaits(db, lease()),
    mayClaim: () => true,
    claim: (busy) =>
      queries.claimDue(
        db,
        lease(),
        busy.map(({ id }) => id),
      ),
    deliver: (row, stop) => deliver(parts, row, stop),
  });
  const wake = throttled(() => worker.wake());
  const unsubscribe = changes.subscribe(({ topic }) => {
    if (topic === "webhook" || topic === "gap") wake();
  });
  return {
    worker,
    async stop() {
      unsubscribe();
      await worker.stop();
    },
  };
}
