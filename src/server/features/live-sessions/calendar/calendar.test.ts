import ICAL from "ical.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { inMinutes, startLiveSite, type LiveSite } from "../../../../../tests/support/course/live-sessions.ts";
import { admin, outcome, student, visitor, type Person } from "../../../../../tests/support/people.ts";

let site: LiveSite;
let logged = "";
beforeAll(async () => {
  const logStream = { write: (line: string) => void (logged += line) };
  site = await startLiveSite({ parts: { logStream }, environment: { LOG_LEVEL: "info", SITE_NAME: "Wick; Body, Co" } });
});
beforeEach(() => site.app.sql("delete from live_sessions"));
afterAll(() => site?.app.close());

const linkOf = async (who: Person): Promise<string> => (await who.call("GET", "/api/live-sessions/calendar-link")).body.url;
const read = (url: string, headers = {}) => visitor(site.app).call("GET", url, undefined, headers);

/** The events of a calendar, by a parser that is not the writer's. */
function eventsOf(text: string): ICAL.Event[] {
  const calendar = new ICAL.Component(ICAL.parse(text));
  return calendar.getAllSubcomponents("vevent").map((component) => new ICAL.Event(component));
}

const eventsFor = async (who: Person): Promise<ICAL.Event[]> => eventsOf((await read(await linkOf(who))).body);
const valueOf = (event: ICAL.Event, name: string): unknown => event.component.getFirstPropertyValue(name);

// LIVESESSION-5
describe("the calendar", () => {
  it("writes every occurrence as an event in UTC that another parser reads", async () => {
    await site.plan(60, { weekly: true, time_zone: "Europe/Berlin", date: "2037-03-17", time: "19:00", ends_on: "2037-04-07" });
    const events = await eventsFor(site.advanced);
    expect(events.map((event) => event.startDate.toString())).toEqual([
      "2037-03-17T18:00:00Z",
      "2037-03-24T18:00:00Z",
      "2037-03-31T17:00:00Z",
      "2037-04-07T17:00:00Z",
    ]);
    const listed = await site.occurrences();
    expect(events.map((event) => event.uid)).toEqual(listed.map(({ id }) => id));
    expect(events.map((event) => event.endDate.toJSDate().toISOString())).toEqual(listed.map(({ ends_at }) => ends_at));
  });

  it("escapes and folds any text of the admin in the calendar", async () => {
    const title = `Gold, silver; "oil" \\ ${"ตลาดเปิด".repeat(20)} 🙂`;
    const description = `One,\ntwo;\r\nthree\\n BEGIN:VEVENT\nEND:VCALENDAR ${"x".repeat(300)}`;
    await site.plan(60, { title, description });
    const { body } = await read(await linkOf(site.advanced));
    const [event, ...rest] = eventsOf(body);
    expect(rest).toEqual([]);
    expect(event!.summary).toBe(title);
    expect(event!.description).toContain(description.replace("\r\n", "\n"));
    // RFC 7986, section 5.1: a text as well, of a kind that the parser leaves as it stands.
    expect(body).toContain("\r\nNAME:Wick\\; Body\\, Co live sessions\r\n");
    for (const line of body.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(body.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  });

  it("keeps an event's id, counts its changes, and marks a cancelled one", async () => {
    const { id } = await site.plan(60);
    const [occurrence] = await site.occurrences();
    const seen: unknown[] = [];
    const look = async (): Promise<void> => {
      const [event] = await eventsFor(site.advanced);
      seen.push([event!.uid === occurrence.id, valueOf(event!, "status"), event!.sequence]);
    };
    await look();
    await site.changeOccurrence(occurrence.id, { moved_to: inMinutes(site.app, 90) });
    await look();
    await site.change(id, { title: "Renamed" });
    await look();
    await site.changeOccurrence(occurrence.id, { cancelled: true });
    await look();
    expect(seen).toEqual([
      [true, "CONFIRMED", 0],
      [true, "CONFIRMED", 1],
      [true, "CONFIRMED", 2],
      [true, "CANCELLED", 3],
    ]);
  });

  it("leads from the calendar to the dashboard, never by the link to join", async () => {
    await site.plan(5);
    const { body } = await read(await linkOf(site.advanced));
    expect(body).not.toContain("meet.example");
    expect(valueOf(eventsOf(body)[0]!, "url")).toBe(`${site.app.url}/student`);
  });

  it("returns a calendar file of one occurrence on request", async () => {
    await site.plan(60, { weekly: true });
    const [, second] = await site.occurrences();
    const { headers, body } = await read(`${await linkOf(site.advanced)}&occurrence=${second.id}`);
    expect(eventsOf(body).map((event) => event.uid)).toEqual([second.id]);
    expect(headers.get("content-type")).toBe("text/calendar; charset=utf-8");
    expect(headers.get("content-disposition")).toBe('attachment; filename="live-session.ics"');
    const unknown = `${await linkOf(site.advanced)}&occurrence=${site.advanced.id}`;
    expect(outcome(await read(unknown))).toEqual([404, "live_session_not_found"]);
  });

  it("writes a valid empty calendar, and drops occurrences after 30 days", async () => {
    expect(await eventsFor(site.advanced)).toEqual([]);
    await site.plan(-30);
    expect(await eventsFor(site.advanced)).toHaveLength(1);
    await site.app.sql(
      "update live_occurrences set starts_at = starts_at - interval '31 days', ends_at = ends_at - interval '31 days'",
    );
    expect(await eventsFor(site.advanced)).toEqual([]);
  });

  it("sends a calendar again only when it has changed", async () => {
    const { id } = await site.plan(60);
    const url = await linkOf(site.advanced);
    const { headers } = await read(url);
    expect(headers.get("cache-control")).toBe("private, max-age=300");
    const again = await read(url, { "if-none-match": headers.get("etag") });
    expect([again.status, again.body]).toEqual([304, ""]);
    await site.change(id, { title: "Renamed" });
    expect((await read(url, { "if-none-match": headers.get("etag") })).status).toBe(200);
  });
});

// LIVESESSION-5
describe("the link to the calendar", () => {
  const refused = [403, "link_invalid"];

  it("keeps the link to the calendar until a new one ends it", async () => {
    const someone = await student(site.app, "advanced");
    const first = await linkOf(someone);
    expect(await linkOf(someone)).toBe(first);
    const second = (await someone.call("POST", "/api/live-sessions/calendar-link")).body.url;
    expect(second).not.toBe(first);
    expect(outcome(await read(first))).toEqual(refused);
    expect((await read(second)).status).toBe(200);
    const both = await Promise.all([1, 2].map(() => someone.call("POST", "/api/live-sessions/calendar-link")));
    expect(new Set([first, second, ...both.map(({ body }) => body.url)]).size).toBe(4);
  });

  it("ends the link to the calendar with the tier and with the account", async () => {
    const someone = await student(site.app, "advanced");
    const url = await linkOf(someone);
    await site.app.sql("update profiles set subscription_status = 'starter' where id = $1", [someone.id]);
    expect(outcome(await read(url))).toEqual(refused);
    expect(outcome(await someone.call("GET", "/api/live-sessions/calendar-link"))).toEqual([403, "live_session_locked"]);
    await site.app.sql("update profiles set subscription_status = 'advanced' where id = $1", [someone.id]);
    await someone.call("POST", "/api/live-sessions/calendar-link");
    await (await admin(site.app)).call("DELETE", `/functions/v1/admin-users?userId=${someone.id}`);
    expect(outcome(await read(url))).toEqual(refused);
    expect(await site.app.sql("select 1 from calendar_links where account_id = $1", [someone.id])).toEqual([]);
  });

  it("refuses a forged, truncated or foreign link to the calendar", async () => {
    const [someone, other] = [await student(site.app, "advanced"), await student(site.app, "advanced")];
    const url = await linkOf(someone);
    const token = new URL(url).searchParams.get("token")!;
    const attempts = ["", "?token=", "?token=a&token=b", `?token=${token.slice(0, -1)}`, `?token=${token}.x`];
    attempts.push(`?token=${token.replace(someone.id, other.id)}`, `?token=${someone.id}`, `?token=${someone.id}.`);
    for (const query of attempts) {
      expect(outcome(await read(`/api/live-sessions.ics${query}`)), query).toEqual(refused);
    }
    const asBearer = { authorization: `Bearer ${token}` };
    expect((await visitor(site.app).call("GET", "/api/me", undefined, asBearer)).status).toBe(401);
  });

  it("logs no token of a link to the calendar", async () => {
    const url = await linkOf(site.advanced);
    await read(url);
    await read(`${url}x`);
    expect(logged).toContain("/api/live-sessions.ics?…");
    expect(logged).not.toContain(new URL(url).searchParams.get("token")!.split(".")[1]);
  });
});

describe("with limits", () => {
  let limited: LiveSite;
  beforeAll(async () => (limited = await startLiveSite({ environment: { RATE_LIMITS: "on", TRUST_PROXY: "on" } })));
  afterAll(() => limited?.app.close());

  it("limits one calendar to 60 reads an hour, without limiting another student's", async () => {
    const url = await linkOf(limited.advanced);
    const statuses = new Set<number>();
    for (let time = 0; time < 61; time++) statuses.add((await read(url)).status);
    expect(statuses).toEqual(new Set([200, 429]));
    expect((await read(await linkOf(await student(limited.app, "advanced")))).status).toBe(200);
  });

  it("counts wrong calendar tokens of all addresses of an IPv6 network together", async () => {
    const wrong = (host: number) =>
      read(`${limited.app.url}/api/live-sessions.ics?token=x`, { "x-forwarded-for": `2001:db8:1:2::${host.toString(16)}` });
    for (let host = 1; host <= 60; host++) await wrong(host);
    expect(outcome(await wrong(61))).toEqual([429, "too_many_requests"]);
  });

  it("limits wrong calendar tokens to 60 an hour, without limiting a right one", async () => {
    const wrong = () => read(`${limited.app.url}/api/live-sessions.ics?token=x`);
    for (let time = 0; time < 60; time++) await wrong();
    expect(outcome(await wrong())).toEqual([429, "too_many_requests"]);
    expect((await read(await linkOf(await student(limited.app, "advanced")))).status).toBe(200);
  });
});
