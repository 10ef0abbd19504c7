import { createHash } from "node:crypto";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../../dependencies.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { networkOf } from "../../auth/service.ts";
import { calendarText } from "./calendar.ts";
import { accountOfToken } from "./link.ts";
import { findAllCalendarEntries } from "./queries.ts";

/** Programs read a calendar every few minutes at most; those of a large provider share an address. */
const readLimit: Limit = { name: "calendar", points: 60, seconds: 3600 };
const refusalLimit: Limit = { name: "calendar-refused", points: 60, seconds: 3600 };

/** Past occurrences that stay in the calendar, in seconds. */
const keptSeconds = 30 * 24 * 3600;

/** Bounds the text that is written on the event loop. */
const maxEntries = 500;

/**
 * Returns the calendar of a token's student as text, with a tag of its content: all occurrences from 30 days ago on, or one alone
 * (LIVESESSION-5). Throws `link_invalid`, `live_session_not_found` and `too_many_requests`.
 */
export async function readCalendar(
  deps: Dependencies,
  asked: { token: string; occurrenceId: string | undefined; origin: string; ip: string },
): Promise<{ text: string; etag: string }> {
  const accountId = await accountOfToken(deps, asked.token).catch(async (error: unknown) => {
    await deps.limits.consume(refusalLimit, networkOf(asked.ip));
    throw error;
  });
  await deps.limits.consume(readLimit, accountId);
  const after = secondsAfter(deps.clock.now(), -keptSeconds);
  const entries = await findAllCalendarEntries(deps.db, after, maxEntries, asked.occurrenceId);
  if (asked.occurrenceId !== undefined && entries.length === 0) throw new ProductError("live_session_not_found");
  const text = calendarText({ name: deps.config.site.name, dashboardUrl: `${asked.origin}/student` }, entries);
  return { text, etag: `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"` };
}
