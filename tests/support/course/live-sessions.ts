import { expect } from "vitest";
import { startApp, type TestApp, type TestAppOptions } from "../app.ts";
import { everyTier, type Answer, type Person } from "../people.ts";

export const joinUrl = "https://meet.example/room?pwd=secret";

/** The product with live sessions: its admin and a student of each tier, and a clock that stands at a whole minute. */
export interface LiveSite {
  app: TestApp;
  operator: Person;
  unpaid: Person;
  starter: Person;
  advanced: Person;
  /** Plans a session that starts in so many minutes and lasts an hour, in UTC; returns it. */
  plan(minutes: number, fields?: Record<string, unknown>): Promise<any>;
  change(id: string, fields: Record<string, unknown>): Promise<Answer>;
  changeOccurrence(id: string, fields: Record<string, unknown>): Promise<Answer>;
  /** Occurrences as someone sees them; of one session where its id is given. */
  occurrences(who?: Person, sessionId?: string, when?: string): Promise<any[]>;
  join(who: Person, occurrenceId: string): Promise<Answer>;
}

/** The day and the time of day in UTC, so many minutes from now. */
export function inMinutes({ clock }: TestApp, minutes: number): { date: string; time: string } {
  const [date = "", time = ""] = new Date(clock.now().getTime() + minutes * 60_000).toISOString().split("T");
  return { date, time: time.slice(0, 5) };
}

/** Until the next 08:00 UTC, so that some hours from now are still the same day. */
const secondsUntilMorning = (now: Date): number => ((32 * 3600 * 1000 - (now.getTime() % 86_400_000)) % 86_400_000) / 1000;

export async function startLiveSite(options: TestAppOptions = {}): Promise<LiveSite> {
  const app = await startApp(options);
  app.clock.set(secondsUntilMorning(app.clock.now()));
  const people = await everyTier(app);
  const { operator, advanced } = people;
  return {
    app,
    ...people,
    async plan(minutes, fields = {}) {
      const answer = await operator.call("POST", "/api/live-sessions", {
        title: "Market open",
        description: "The week ahead.",
        join_url: joinUrl,
        ...inMinutes(app, minutes),
        time_zone: "UTC",
        duration_minutes: 60,
        weekly: false,
        ...fields,
      });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      return answer.body;
    },
    change: (id, fields) => operator.call("PATCH", `/api/live-sessions/${id}`, fields),
    changeOccurrence: (id, fields) => operator.call("PATCH", `/api/live-sessions/occurrences/${id}`, fields),
    async occurrences(who = advanced, sessionId, when = "coming") {
      const { body } = await who.call("GET", `/api/live-sessions/occurrences?when=${when}&limit=100`);
      return body.items.filter(({ session_id }: any) => sessionId === undefined || session_id === sessionId);
    },
    join: (who, id) => who.call("POST", `/api/live-sessions/occurrences/${id}/join`),
  };
}
