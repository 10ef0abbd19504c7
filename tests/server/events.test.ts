// Over 250 lines: who hears of what, and when a stream ends, on two sites with one database.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { streamsPerAccount } from "#server/platform/realtime/open-streams";
import { allowIdle, transaction } from "#server/platform/db/transaction";
import { startApp, type TestApp } from "../support/app.ts";
import { listen, type Stream } from "../support/event-stream.ts";
import { pay, setUpWallets } from "../support/payments.ts";
import { turnOnSecondFactor } from "../support/second-factor.ts";
import { admin, outcome, signIn, student, unverifiedStudent, visitor, type Person } from "../support/people.ts";

let app: TestApp;
let beside: TestApp;
let operator: Person;
beforeAll(async () => {
  app = await startApp();
  beside = await startApp({ beside: app });
  operator = await admin(app);
  await setUpWallets(operator);
});
afterAll(async () => {
  await beside?.close();
  await app?.close();
});

/** Closes the connections on which both sites listen for changes. */
const cutFeed = () =>
  app.sql(
    "select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%' and datname = current_database()",
  );

describe("a stream of events", () => {
  it("sends a student an event for an approval made in another process", async () => {
    const buyer = await student(app);
    const id = (await pay(buyer)).body.id;
    const stream = await listen(app, buyer);
    const operatorBeside: Person = await admin(beside);
    await operatorBeside.call("POST", `/api/payment-requests/${id}/approve`);
    await stream.seen("profile");
    await stream.seen("payment-requests");
    expect(stream.events.map((event) => event.id)).toContain(buyer.id);
    stream.stop();
  });

  it("takes no place for a reader who left while the session was read", async () => {
    const site = await startApp({ beside: app, environment: { MAX_STREAMS: "1" } });
    const [gone, other] = [await student(site), await student(site)];
    const leave = new AbortController();
    let hasLeft = false;
    site.server.server.once("request", (_request, response) => response.once("close", () => (hasLeft = true)));
    await transaction(app.deps.db, async (tx) => {
      await allowIdle(tx, 0);
      await tx.execute("lock table sessions in access exclusive mode");
      const headers = { authorization: `Bearer ${gone.accessToken}` };
      const left = fetch(`${site.url}/api/events`, { headers, signal: leave.signal }).catch(() => "left");
      const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await expect.poll(() => app.sql(waiting)).toHaveLength(1);
      leave.abort();
      expect(await left).toBe("left");
      await expect.poll(() => hasLeft).toBe(true);
    });
    await expect.poll(() => site.deps.db.$client.idleCount).toBe(site.deps.db.$client.totalCount);
    (await listen(site, other)).stop();
    await site.close();
  });

  // OWN-1
  it("is refused when its session ends while it is read", async () => {
    const [early, late] = [await student(app), await student(app)];
    const open = await listen(app, early);
    const [session] = await app.sql<{ id: string }>("select id from sessions where account_id = $1", [late.id]);
    const refused = await transaction(app.deps.db, async (tx) => {
      await allowIdle(tx, 0);
      await tx.execute("lock table sessions in access exclusive mode");
      const call = late.call("GET", "/api/events");
      const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await expect.poll(() => app.sql(waiting)).toHaveLength(1);
      await app.sql(`select pg_notify('changes', '{"topic":"session-end","id":"${session?.id}"}'),
        pg_notify('changes', '{"topic":"videos","id":null}')`);
      await open.seen("videos");
      return { call };
    });
    expect(outcome(await refused.call)).toEqual([401, "not_signed_in"]);
    open.stop();
  });

  // RUN-14
  it("is refused when the stop begins while the session is read", async () => {
    const site = await startApp({ beside: app });
    const [early, late] = [await student(site), await student(site)];
    const open = await listen(site, early);
    const { refused, stopped } = await transaction(app.deps.db, async (tx) => {
      await allowIdle(tx, 0);
      await tx.execute("lock table sessions in access exclusive mode");
      const call = late.call("GET", "/api/events");
      const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await expect.poll(() => app.sql(waiting)).toHaveLength(1);
      const stop = site.close();
      await open.closed;
      return { refused: call, stopped: stop };
    });
    expect(outcome(await refused)).toEqual([503, "unavailable"]);
    await stopped;
  });

  it("sends events for rows changed by psql, but not for another student's", async () => {
    const buyer = await student(app);
    const other = await student(app);
    const [own, foreign] = [await listen(app, buyer), await listen(app, other)];
    await app.sql("update profiles set subscription_status = 'advanced' where id = $1", [buyer.id]);
    await own.seen("profile");
    await app.sql(
      "insert into videos (title, description, module, order_index, package_type, video_url, created_at) values ('T','D','M',1,'both','https://films.example/x', now())",
    );
    await foreign.seen("videos");
    expect(foreign.events.map((event) => event.id)).not.toContain(buyer.id);
    own.stop();
    foreign.stop();
  });

  // NEWS-3
  it("sends news to everybody, and a read mark to its own student alone", async () => {
    const [reader, other] = [await student(app), await student(app)];
    const streams = [await listen(app, reader), await listen(app, other), await listen(app, operator)];
    const content = { title: "T", text: "T", audience: "everyone" };
    const { id } = (await operator.call("POST", "/api/news", content, { "idempotency-key": "events" })).body;
    for (const stream of streams) await stream.seen("news");
    for (let time = 0; time < 2; time++) await reader.call("POST", `/api/news/${id}/seen`);
    await app.sql("update profiles set full_name = 'Last' where id = any($1)", [[reader.id, other.id]]);
    for (const stream of streams) await stream.seen("profile");
    expect(streams.map(({ events }) => events.filter(({ topic }) => topic === "news").length)).toEqual([2, 1, 1]);
    for (const stream of streams) stream.stop();
  });

  /** LIVE-3. */
  it("sends progress to its own student alone, when a lesson begins or is marked", async () => {
    const [viewer, other] = [await student(app), await student(app)];
    const [own, foreign, boss] = [await listen(app, viewer), await listen(app, other), await listen(app, operator)];
    const video = { title: "T", description: "D", module: "M", order_index: 1, package_type: "both" };
    const added = await operator.call("POST", "/api/videos", { ...video, video_url: "https://films.example/y" });
    const save = (position_seconds: number) =>
      viewer.call("PUT", `/api/videos/${added.body.id}/progress`, { position_seconds, duration_seconds: 100 });
    for (const position of [1, 2, 3, 95, 96]) expect((await save(position)).status).toBe(200);
    await app.sql("update profiles set full_name = 'Last' where id = any($1)", [[viewer.id, other.id]]);
    for (const stream of [own, foreign, boss]) await stream.seen("profile");
    const heard = [own, foreign, boss].map(({ events }) => events.filter(({ topic }) => topic === "progress").length);
    expect(heard).toEqual([2, 0, 0]);
    for (const stream of [own, foreign, boss]) stream.stop();
  });

  // AUDIT-6
  it("sends new entries of the audit log to the admin alone", async () => {
    const streams = [await listen(app, await student(app)), await listen(app, operator)];
    await operator.call("POST", "/api/wallet-settings/void-quotes");
    for (const stream of streams) await stream.seen("quotes");
    const heard = streams.map(({ events }) => events.some(({ topic }) => topic === "audit-log"));
    expect(heard).toEqual([false, true]);
    for (const stream of streams) stream.stop();
  });

  // GUARD-3, GUARD-4
  it("sends changed destinations to the admin alone, ended quotes to everybody", async () => {
    const streams = [await listen(app, await student(app)), await listen(app, operator)];
    await setUpWallets(operator, { promptpay_id: "0812345678" });
    await operator.call("POST", "/api/wallet-settings/void-quotes");
    for (const stream of streams) await stream.seen("quotes");
    const heard = streams.map(({ events }) => events.filter(({ topic }) => topic === "wallet-settings").length);
    expect(heard).toEqual([0, 1]);
    for (const stream of streams) stream.stop();
  });

  it("sends every topic to a reader who returns with Last-Event-ID", async () => {
    const buyer = await student(app);
    const stream = await listen(app, buyer, { "last-event-id": "17" });
    await stream.seen("videos");
    await stream.seen("profile");
    await stream.seen("payment-requests");
    stream.stop();
  });

  // LIVE-1
  it("sends a first stream what changed while its page was read, if it may see that", async () => {
    const [buyer, other] = [await student(app), await student(app)];
    const witness = await listen(app, buyer);
    // Further from the start, and from the tests before, than the margin.
    app.clock.advance(20);
    await app.sql("update profiles set full_name = 'Just Now' where id = $1", [buyer.id]);
    await witness.seen("profile");
    app.clock.advance(60);
    const stream = await listen(app, buyer, { "x-data-age": "60" });
    const others = await listen(app, other, { "x-data-age": "60" });
    await stream.seen("profile");
    const later = await listen(app, buyer, { "x-data-age": "1" });
    await app.sql("update profiles set full_name = 'Other' where id = $1", [other.id]);
    await others.seen("profile");
    await app.sql("update profiles set full_name = 'Afterwards' where id = $1", [buyer.id]);
    await later.seen("profile");
    expect(others.events.map(({ id }) => id)).not.toContain(null);
    expect(later.events.map(({ id }) => id)).not.toContain(null);
    for (const one of [witness, stream, others, later]) one.stop();
  });

  // STEPUP-1, FACTOR-6
  it("tells of a second factor that is turned on and off", async () => {
    const before = await student(app);
    const [own, others] = [await listen(app, before), await listen(app, operator)];
    const { person, authenticator } = await turnOnSecondFactor(app, before);
    const profile = expect.objectContaining({ topic: "profile", id: person.id });
    await expect.poll(() => own.events).toEqual([profile]);
    await expect.poll(() => others.events).toContainEqual(profile);
    expect((await person.call("DELETE", `/auth/v1/factors/${authenticator.factorId}`)).status).toBe(200);
    await expect.poll(() => own.events).toEqual([profile, profile]);
    for (const stream of [own, others]) stream.stop();
  });

  // OWN-3
  it("tells of a new address that waits for its code, not of a try of that", async () => {
    const buyer = await student(app);
    const stream = await listen(app, buyer);
    const change = (email: string) => buyer.call("PUT", "/auth/v1/user", { email });
    const email = `new-${buyer.email}`;
    expect((await change(email)).status).toBe(200);
    const profile = expect.objectContaining({ topic: "profile", id: buyer.id });
    await expect.poll(() => stream.events).toEqual([profile]);
    const tried = await buyer.call("POST", "/auth/v1/verify", { type: "email_change", email, token: "000000" });
    expect(outcome(tried)).toEqual([400, "verification_code_invalid"]);
    expect((await change(buyer.email)).status).toBe(200);
    await expect.poll(() => stream.events).toEqual([profile, profile]);
    stream.stop();
  });

  it("recovers when the database connection of the feed is cut", async () => {
    const buyer = await student(app);
    const stream = await listen(app, buyer);
    await cutFeed();
    await stream.seen("profile");
    await app.sql("update profiles set full_name = 'New Name' where id = $1", [buyer.id]);
    await expect.poll(() => stream.events).toContainEqual(expect.objectContaining({ topic: "profile", id: buyer.id }));
    stream.stop();
  });

  // SESSION-2
  it("ends when its session ended while the feed was cut off", async () => {
    const [gone, stays] = [await student(app), await student(app)];
    const [lost, kept] = [await listen(app, gone), await listen(app, stays)];
    // Without its trigger: a feed that is cut off would not hear it either.
    await app.sql(`alter table sessions disable trigger sessions_notify;
      update sessions set revoked_at = now() where account_id = '${gone.id}';
      alter table sessions enable trigger sessions_notify`);
    await cutFeed();
    await lost.closed;
    await app.sql("update profiles set full_name = 'Still Here' where id = $1", [stays.id]);
    await expect.poll(() => kept.events).toContainEqual(expect.objectContaining({ topic: "profile", id: stays.id }));
    expect(kept.isClosed()).toBe(false);
    kept.stop();
  });

  it("ends when the session ends", async () => {
    const buyer = await student(app);
    const stream = await listen(app, buyer);
    await buyer.call("POST", "/auth/v1/logout?scope=global");
    await stream.closed;
    const deleted = await student(app);
    const second = await listen(app, deleted);
    await operator.call("DELETE", `/functions/v1/admin-users?userId=${deleted.id}`);
    await second.closed;
  });

  // SESSION-4
  it("ends when its session is 30 days old", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const site = await startApp({ beside: app });
    try {
      const old = await student(site);
      const stream = await listen(site, old);
      site.clock.advance(29 * 24 * 3600);
      const newer = await listen(site, await signIn(site, old.email, old.password));
      site.clock.advance(24 * 3600);
      vi.advanceTimersByTime(25_000);
      await stream.closed;
      await app.sql("update profiles set full_name = 'Still Here' where id = $1", [old.id]);
      await newer.seen("profile");
      newer.stop();
    } finally {
      await site.close();
      vi.useRealTimers();
    }
  });

  it("is not written to after its session ended, when an event follows at once", async () => {
    const errors: Error[] = [];
    app.server.server.on("request", ({ url }, response) => {
      if (url === "/api/events") response.on("error", (error: Error) => errors.push(error));
    });
    const buyer = await student(app);
    const stream = await listen(app, buyer);
    const [session] = await app.sql<{ id: string }>("select id from sessions where account_id = $1", [buyer.id]);
    await app.sql(`select pg_notify('changes', '{"topic":"session-end","id":"${session?.id}"}'),
      pg_notify('changes', '{"topic":"videos","id":null}')`);
    await stream.closed;
    expect(errors).toEqual([]);
  });
});

describe("who may hold a stream", () => {
  it("refuses visitors and unverified accounts", async () => {
    expect((await visitor(app).call("GET", "/api/events")).status).toBe(401);
    expect(outcome(await (await unverifiedStudent(app)).call("GET", "/api/events"))).toEqual([403, "email_not_verified"]);
  });

  it("ends an account's oldest stream for a seventh and says so", async () => {
    const buyer = await student(app);
    const streams: Stream[] = [];
    for (let count = 0; count < streamsPerAccount + 1; count++) streams.push(await listen(app, buyer));
    const [oldest, ...newer] = streams;
    await oldest!.closed;
    expect(oldest!.events.at(-1)?.topic).toBe("superseded");
    await app.sql("update profiles set full_name = 'Many Tabs' where id = $1", [buyer.id]);
    for (const stream of newer) await stream.seen("profile");
    expect(newer.map((stream) => stream.isClosed())).not.toContain(true);
    await buyer.call("POST", "/auth/v1/logout?scope=global");
    for (const stream of newer) await stream.closed;
  });

  it("keeps a share of all streams for the admin and sends others Retry-After", async () => {
    const small = await startApp({ environment: { MAX_STREAMS: "4" } });
    try {
      const [first, second] = [await student(small), await student(small)];
      const streams = [await listen(small, first), await listen(small, second)];
      const late = await student(small);
      const refused = await late.call("GET", "/api/events");
      expect([refused.status, refused.body.code, refused.headers.get("retry-after")]).toEqual([503, "unavailable", "10"]);
      const head = await late.call("HEAD", "/api/events");
      expect([head.status, head.headers.get("retry-after")]).toEqual([503, "10"]);
      const smallAdmin = await admin(small);
      for (let count = 0; count < 2; count++) await listen(small, smallAdmin);
      expect((await smallAdmin.call("GET", "/api/events")).status).toBe(503);
      await first.call("POST", "/auth/v1/logout?scope=global");
      await streams[0]!.closed;
      await listen(small, late);
    } finally {
      await small.close();
    }
  });
});
