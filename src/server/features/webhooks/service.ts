/** What the rest of the server may call. */
export { enqueueEvent, type WebhookEvent } from "./enqueue.ts";
export { countWebhookFailures } from "./queries.ts";
export { registerWebhookMetrics } from "./metrics.ts";
export { webhookRemovals } from "./retention.ts";
export { startWebhooks } from "./sender.ts";
