import { afterAll, beforeAll, expect, it } from "vitest";
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

/** Ends every connection of the site; its own comes last, or it would end before the others are told. */
const cutAll = () =>
  app
    .sql(
      `select pg_terminate_backend(pid) from (
         select pid from pg_stat_activity where datname = current_database() order by pid = pg_backend_pid()
       ) connections`,
    )
    .catch(() => {});

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
  for (let round = 0; round < 10; round += 1) {
    const requests = Array.from({ length: 6 }, () => [signUp(), count()]).flat();
    await cutAll();
    for (const { status } of await Promise.all(requests)) statuses.add(status);
  }
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  await soon(async () => expect((await signUp()).status).toBe(200));
  await soon(() => expect(app.deps.changes.isConnected()).toBe(true));
});
