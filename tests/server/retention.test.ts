// Over 250 lines: each kind of rows at the edge where it goes, and how the job runs.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { lockKeys } from "#server/platform/db/locks";
import { transaction } from "#server/platform/db/transaction";
import { RetentionJob, startRetention, type Removal } from "#server/platform/retention/job";
import { retentionSeconds } from "#server/platform/retention/periods";
import { removals } from "#server/removals";
import { startApp, type TestApp } from "../support/app.ts";
import { pay, setUpWallets } from "../support/payments.ts";
import { admin, goodPassword, signIn, student, unverifiedStudent, visitor, type Person } from "../support/people.ts";
import { soon } from "../support/soon.ts";

const day = 24 * 3600;
let app: TestApp;
beforeAll(async () => {
  app = await startApp({ environment: { RATE_LIMITS: "on" } });
});
afterAll(() => app?.close());

const jobFor = (list: readonly Removal[]) => new RetentionJob({ db: app.deps.db, clock: app.clock, removals: list });
const run = () => jobFor(removals).run();
const count = async (table: string, column: string, value: string): Promise<number> => {
  const [row] = await app.sql<{ count: string }>(`select count(*) from ${table} where ${column} = $1`, [value]);
  return Number(row!.count);
};
const sendCode = (someone: Person) => someone.call("POST", "/functions/v1/send-verification-email", {});

describe("the retention job", () => {
  it("deletes verification codes a day after they expire", async () => {
    const someone = await unverifiedStudent(app);
    await sendCode(someone);
    app.clock.advance(day);
    await run();
    expect(await count("verification_codes", "user_id", someone.id)).toBe(1);
    app.clock.advance(3600);
    await run();
    expect(await count("verification_codes", "user_id", someone.id)).toBe(0);
  });

  it("deletes recovery links a day after they expire", async () => {
    const someone = await student(app);
    await someone.call("POST", "/auth/v1/recover", { email: someone.email });
    app.clock.advance(day);
    await run();
    expect(await count("password_recoveries", "account_id", someone.id)).toBe(1);
    app.clock.advance(2 * 3600);
    await run();
    expect(await count("password_recoveries", "account_id", someone.id)).toBe(0);
  });

  it("deletes ended sessions with their refresh tokens, and keeps live ones", async () => {
    const someone = await student(app);
    const staying = await signIn(app, someone.email, goodPassword);
    const leaving = await signIn(app, someone.email, goodPassword);
    const before = await count("sessions", "account_id", someone.id);
    await leaving.call("POST", "/auth/v1/logout?scope=local");
    app.clock.advance(60);
    await run();
    expect(await count("sessions", "account_id", someone.id)).toBe(before);
    app.clock.advance(day);
    await run();
    expect(await count("sessions", "account_id", someone.id)).toBe(before - 1);
    const refresh_token = staying.refreshToken;
    const renewed = await visitor(app).call("POST", "/auth/v1/token?grant_type=refresh_token", { refresh_token });
    expect(renewed.status).toBe(200);
    app.clock.advance(31 * day);
    await run();
    expect(await count("sessions", "account_id", someone.id)).toBe(0);
    const tokens = await app.sql("select 1 from refresh_tokens where session_id not in (select id from sessions)");
    expect(tokens).toEqual([]);
  });

  it("deletes transfers read from Ethereum after 90 days", async () => {
    const row = "('0x' || repeat($1, 64), '0x', '0x', 1, $2)";
    const at = (days: number): Date => new Date(app.clock.now().getTime() - days * day * 1000);
    await app.sql(`insert into ethereum_transfers values ${row}`, ["a", at(91)]);
    await app.sql(`insert into ethereum_transfers values ${row}`, ["b", at(89)]);
    await run();
    expect(await app.sql("select left(transaction_id, 3) as id from ethereum_transfers")).toEqual([{ id: "0xb" }]);
  });

  it("deletes sign-ups left unfinished for 30 days, and no other account", async () => {
    const [gone, neverIn] = [await unverifiedStudent(app), await unverifiedStudent(app)];
    const verified = await student(app);
    const [returning, payer] = [await unverifiedStudent(app), await student(app)];
    await setUpWallets(await admin(app));
    await pay(payer);
    await app.sql("update accounts set email_verified_at = null where id = $1", [payer.id]);
    await app.sql("update accounts set email_verified_at = null, last_sign_in_at = null where role = 'admin'");
    app.clock.advance(20 * day);
    const later = await unverifiedStudent(app);
    await app.sql("update accounts set last_sign_in_at = null where id = any($1)", [[neverIn.id, later.id]]);
    await signIn(app, returning.email, goodPassword);
    app.clock.advance(11 * day);
    await run();
    for (const { id } of [gone, neverIn]) expect(await count("accounts", "id", id)).toBe(0);
    for (const { id } of [returning, later, payer]) expect(await count("accounts", "id", id)).toBe(1);
    app.clock.advance(19 * day);
    await run();
    expect(await count("accounts", "id", returning.id)).toBe(1);
    app.clock.advance(day);
    await run();
    expect(await count("accounts", "id", returning.id)).toBe(0);
    expect(await count("accounts", "id", verified.id)).toBe(1);
    const admins = await app.sql("update accounts set email_verified_at = created_at where role = 'admin' returning 1");
    expect(admins).toHaveLength(1);
  });

  it("deletes networks without a sign-in for 180 days", async () => {
    const [leaving, staying] = [await student(app), await student(app)];
    app.clock.advance(day);
    await signIn(app, staying.email, goodPassword);
    app.clock.advance(180 * day);
    await run();
    expect(await count("familiar_networks", "account_id", leaving.id)).toBe(0);
    expect(await count("familiar_networks", "account_id", staying.id)).toBe(1);
    app.clock.advance(1);
    await run();
    expect(await count("familiar_networks", "account_id", staying.id)).toBe(0);
  });

  it("deletes mails after 30 days unless they still wait, and never payments", async () => {
    const boss = await admin(app);
    await setUpWallets(boss);
    const payer = await student(app);
    const request = (await pay(payer)).body.id;
    expect(await count("mail_outbox", "recipient", payer.email)).toBeGreaterThan(0);
    await soon(async () => {
      expect(await app.sql("select 1 from mail_outbox where next_attempt_at is not null")).toEqual([]);
    });
    app.clock.advance(29 * day);
    await run();
    expect(await count("mail_outbox", "recipient", payer.email)).toBeGreaterThan(0);
    await app.sql("update mail_outbox set next_attempt_at = $2, sent_at = null where recipient = $1", [
      payer.email,
      new Date("2100-01-01"),
    ]);
    app.clock.advance(2 * day);
    await run();
    expect(await count("mail_outbox", "recipient", payer.email)).toBeGreaterThan(0);
    await app.sql("update mail_outbox set next_attempt_at = null where recipient = $1", [payer.email]);
    await run();
    expect(await count("mail_outbox", "recipient", payer.email)).toBe(0);
    expect(await count("payment_requests", "id", request)).toBe(1);
  });

  it("deletes rate-limit counters whose window is over", async () => {
    await unverifiedStudent(app);
    expect((await app.sql("select 1 from rate_limits")).length).toBeGreaterThan(0);
    app.clock.advance(40 * day);
    await run();
    expect(await app.sql("select 1 from rate_limits where expire is not null")).toEqual([]);
  });
});

it.each([
  ["verification codes", "verification_codes"],
  ["familiar networks", "familiar_networks"],
  ["rate limits", "rate_limits"],
])("leaves out rows that another transaction has locked: %s", async (name, table) => {
  for (let pair = 0; pair < 2; pair++) {
    await sendCode(await unverifiedStudent(app));
    await student(app);
  }
  app.clock.advance(200 * day);
  const removal = removals.find((one) => one.name === name)!;
  const remove = (limit: number): Promise<number> =>
    transaction(app.deps.db, async (tx) => {
      await tx.execute("set local lock_timeout = '2s'");
      return removal.remove(tx, app.clock.now(), limit);
    });
  const client = await app.deps.db.$client.connect();
  try {
    await client.query("begin");
    await client.query(`select 1 from ${table} for update`);
    expect(await remove(100)).toBe(0);
  } finally {
    await client.query("rollback");
    client.release();
  }
  expect(await remove(1)).toBe(1);
  expect(await remove(100)).toBeGreaterThan(0);
});

it("keeps rows for as many days as KEEP-1 says", () => {
  const days = Object.fromEntries(Object.entries(retentionSeconds).map(([rows, seconds]) => [rows, seconds / day]));
  const month = { mails: 30, webhookEvents: 30, unfinishedSignUps: 30, playingDays: 30, guardedChanges: 30 };
  const aDay = { verificationCodes: 1, recoveries: 1, sessions: 1, liveReminders: 1 };
  expect(days).toEqual({ ...month, ...aDay, endedQuotes: 7, familiarNetworks: 180, chainTransfers: 90 });
});

describe("a run of the retention job", () => {
  const counted = (rows: number): Removal & { batches: number[] } => {
    const batches: number[] = [];
    let left = rows;
    return {
      name: "rows",
      batches,
      batchSize: 10,
      remove(_connection, _now, limit) {
        const removed = Math.min(limit, left);
        left -= removed;
        batches.push(removed);
        return Promise.resolve(removed);
      },
    };
  };

  it("deletes in batches until nothing is left", async () => {
    const removal = counted(25);
    await jobFor([removal]).run();
    expect(removal.batches).toEqual([10, 10, 5]);
  });

  it("asks for 500 rows unless told otherwise, a hundred times at most", async () => {
    const limits: number[] = [];
    const endless: Removal = {
      name: "rows",
      remove: (_connection, _now, limit) => Promise.resolve(limits.push(limit) && limit),
    };
    await jobFor([endless]).run();
    expect(limits).toEqual(Array(100).fill(500));
  });

  it("leaves the work to the process that has the lock", async () => {
    const removal = counted(25);
    const client = await app.deps.db.$client.connect();
    await client.query("select pg_advisory_lock($1)", [lockKeys.retention]);
    try {
      await jobFor([removal]).run();
    } finally {
      await client.query("select pg_advisory_unlock($1)", [lockKeys.retention]);
      client.release();
    }
    expect(removal.batches).toEqual([]);
  });

  it("goes on with the others when one removal fails, and keeps the error", async () => {
    const removal = counted(5);
    const broken: Removal = { name: "broken rows", remove: () => Promise.reject(new Error("No such table")) };
    const lines: string[] = [];
    const job = new RetentionJob({
      db: app.deps.db,
      clock: app.clock,
      removals: [broken, removal],
      onError: (what) => lines.push(what),
    });
    await job.run();
    expect(removal.batches).toEqual([5]);
    await jobFor([broken, removal]).run();
    expect(removal.batches).toEqual([5, 0]);
    expect(job.lastError).toEqual({ name: "broken rows", message: expect.stringContaining("No such table") });
    expect(lines).toEqual([expect.stringContaining("broken rows")]);
  });

  it("begins a minute after the start, then every hour until it is stopped", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
    try {
      const job = startRetention({ db: app.deps.db, clock: app.clock, removals: [] });
      const runs = vi.spyOn(job, "run");
      const runsAfter = (seconds: number): number => {
        vi.advanceTimersByTime(seconds * 1000);
        return runs.mock.calls.length;
      };
      expect([59, 1, 3539, 1, 3600].map(runsAfter)).toEqual([0, 1, 1, 2, 3]);
      await job.stop();
      expect(runsAfter(7200)).toBe(3);
    } finally {
      vi.useRealTimers();
    }
  });

  it("ends between two batches when it is stopped", async () => {
    const removal = counted(1000);
    const job = jobFor([removal]);
    const running = job.run();
    await job.stop();
    await running;
    expect(removal.batches.length).toBeLessThan(100);
  });
});
