import pg from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { productError } from "#server/platform/http/errors";
import { postgresRateLimits } from "#server/platform/http/rate-limit";
import { startApp, type TestApp } from "../support/app.ts";
import { visitor } from "../support/people.ts";
import { soon } from "../support/soon.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const signUp = () =>
  visitor(app).call("POST", "/auth/v1/signup", {
    email: `${Math.random()}@example.com`,
    password: "a fine long password",
    data: { full_name: "Ann Example" },
  });

/** Ends every connection of the site and returns how many there were. */
async function cutAll(): Promise<number> {
  const other = new pg.Client({ ...inject("postgres"), database: app.deps.db.$client.options.database });
  await other.connect();
  try {
    const { rows } = await other.query<{ is_ended: boolean }>(
      `select pg_terminate_backend(pid) as is_ended from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    );
    return rows.filter(({ is_ended }) => is_ended).length;
  } finally {
    await other.end();
  }
}

const setReadOnly = async (value: "on" | "off"): Promise<void> => {
  const admin = await app.deps.db.$client.connect();
  try {
    await admin.query("set transaction_read_only = off; set default_transaction_read_only = off");
    const database = app.deps.db.$client.options.database!;
    await admin.query(`alter role current_user in database "${database}" set default_transaction_read_only = ${value}`);
  } finally {
    admin.release(true);
  }
};

it("returns 503 while the database is read-only and recovers without a restart", async () => {
  await setReadOnly("on");
  try {
    await cutAll();
    await soon(async () => {
      const { status, headers, body } = await signUp();
      expect({ status, code: body.code }).toEqual({ status: 503, code: "unavailable" });
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    });
    // The first refusal may be that of a connection that was cut; this one is a new connection's.
    expect((await signUp()).status).toBe(503);
  } finally {
    await setReadOnly("off");
  }
  // Each refusal discards its connection, so that the next request finds the server that takes writes again.
  await soon(async () => expect((await signUp()).status).toBe(200));
});

it("returns only 200 or 503 while every connection is cut again and again", async () => {
  const limits = postgresRateLimits(app.deps.db.$client);
  const count = () =>
    limits.consume({ name: "outage", points: 1000, seconds: 60 }, "anyone").then(
      () => ({ status: 200 }),
      (error: unknown) => productError(error),
    );
  const statuses = new Set<number>();
  let ended = 0;
  for (let round = 0; round < 10; round += 1) {
    const requests = Array.from({ length: 6 }, () => [signUp(), count()]).flat();
    ended += await cutAll();
    for (const { status } of await Promise.all(requests)) statuses.add(status);
  }
  expect(ended).toBeGreaterThan(0);
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  await soon(async () => expect((await signUp()).status).toBe(200));
  await soon(() => expect(app.deps.changes.isConnected()).toBe(true));
});
