import type { Config } from "../../config.ts";
import { postOnce } from "../../platform/bounded-fetch.ts";
import { secondsAfter, type Clock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db/database.ts";
import { errorLine } from "../../platform/logging/describe-error.ts";
import * as queries from "./queries.ts";
import { signatureOf } from "./signature.ts";

/** Milliseconds for one attempt, well under the lease, so that no other process takes an event on its way. */
export const deliveryDeadlineMs = 10_000;

const minute = 60;
const hour = 60 * minute;

/** Seconds from each failed attempt to the next; after the last one an event is given up, about 28 hours after the first. */
export const retrySeconds: readonly number[] = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

export interface DeliveryParts {
  config: Config;
  clock: Clock;
  db: Database;
  onError: (what: string, error: unknown) => void;
  /** The longest one attempt may take, in milliseconds. */
  deadlineMs?: number;
}

/** Tries one event and records how that ended (WEBHOOK-3). `stop` cuts the attempt off. */
export async function deliver(parts: DeliveryParts, row: queries.EventRow, stop: AbortSignal): Promise<void> {
  const { db, clock } = parts;
  try {
    await send(parts, row, stop);
  } catch (error) {
    // For the next start, or another process, to try at once; this attempt does not count.
    if (stop.aborted) {
      return queries.finishAttempt(db, row, { attempts: row.attempts - 1, next_attempt_at: clock.steady() });
    }
    return recordFailure(parts, row, error);
  }
  await queries.finishAttempt(db, row, { delivered_at: clock.now(), next_attempt_at: null });
}

async function send(
  { config, clock, deadlineMs = deliveryDeadlineMs }: DeliveryParts,
  { id, body }: queries.EventRow,
  stop: AbortSignal,
): Promise<void> {
  const [url, keys] = [config.webhooks.url, config.webhooks.keys];
  // Stryker disable next-line ConditionFalse,LeftOperand,RightOperand,LogicalOperator,StringLiteral: without them no sender starts.
  if (url === undefined || keys === undefined) throw new Error("WEBHOOK_URL is not set.");
  // The time of the attempt, because receivers refuse an old one as a replay.
  const timestamp = Math.floor(clock.now().getTime() / 1000);
  const headers = {
    "content-type": "application/json",
    "user-agent": "Pipwright",
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatureOf({ id, timestamp, body }, keys),
  };
  await postOnce(new URL(url), { timeoutMs: deadlineMs, stop, headers, body });
}

async function recordFailure({ db, clock, onError }: DeliveryParts, row: queries.EventRow, error: unknown): Promise<void> {
  const { id, type, attempts } = row;
  const last_error = errorLine(error).slice(0, 500);
  const wait = retrySeconds[attempts - 1];
  if (wait === undefined) {
    onError(`The webhook ${type} ${id} is given up after ${attempts} attempts`, error);
    return queries.finishAttempt(db, row, { given_up_at: clock.now(), next_attempt_at: null, last_error });
  }
  onError(`The webhook ${type} ${id} will be tried again in ${wait} s`, error);
  await queries.finishAttempt(db, row, { next_attempt_at: secondsAfter(clock.steady(), wait), last_error });
}
