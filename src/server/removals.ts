import { authRemovals } from "./features/auth/service.ts";
import { liveSessionRemovals } from "./features/live-sessions/service.ts";
import { verificationRemovals } from "./features/verification/service.ts";
import { chainRemovals } from "./features/payment-requests/service.ts";
import { guardRemovals } from "./features/wallet-settings/service.ts";
import { playbackRemovals } from "./features/playback/service.ts";
import { quoteRemovals } from "./features/quotes/service.ts";
import { webhookRemovals } from "./features/webhooks/service.ts";
import { rateLimitRemovals } from "./platform/http/rate-limit.ts";
import { mailRemovals } from "./platform/mail/retention.ts";
import type { Removal } from "./platform/retention/job.ts";

/** Everything the retention job deletes. */
export const removals: readonly Removal[] = [
  ...mailRemovals,
  ...verificationRemovals,
  ...authRemovals,
  ...liveSessionRemovals,
  ...playbackRemovals,
  ...quoteRemovals,
  ...chainRemovals,
  ...guardRemovals,
  ...webhookRemovals,
  ...rateLimitRemovals,
];
