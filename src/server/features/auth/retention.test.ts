import { afterAll, beforeAll, expect, it } from "vitest";
import { removals } from "#server/removals";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { student } from "../../../../tests/support/people.ts";
import { enroll, turnOnSecondFactor } from "../../../../tests/support/second-factor.ts";
import { RetentionJob } from "../../platform/retention/job.ts";
import { authRemovals } from "./retention.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

/** Returns how many rows are left after the retention job has run, `seconds` from now. */
async function leftAfter(seconds: number, table: string, column: string, value: string): Promise<number> {
  app.clock.advance(seconds);
  const job = new RetentionJob({ db: app.deps.db, clock: app.clock, removals: authRemovals });
  await job.run();
  expect(job.lastError).toBeUndefined();
  return (await app.sql(`select 1 from ${table} where ${column} = $1`, [value])).length;
}

// KEEP-1.
it("deletes only enrolments of a second factor unfinished for half an hour", async () => {
  const finished = await turnOnSecondFactor(app, await student(app));
  const { factorId } = await enroll(app, await student(app));
  expect(await leftAfter(30 * 60, "mfa_factors", "id", factorId)).toBe(1);
  expect(await leftAfter(1, "mfa_factors", "id", factorId)).toBe(0);
  expect(await leftAfter(0, "mfa_factors", "id", finished.authenticator.factorId)).toBe(1);
});

it("deletes challenges of a second factor after five minutes", async () => {
  const someone = await student(app);
  const { factorId } = await enroll(app, someone);
  const challenge = await someone.call("POST", `/auth/v1/factors/${factorId}/challenge`, { factorId });
  expect(challenge.status).toBe(200);
  expect(await leftAfter(5 * 60, "mfa_challenges", "factor_id", factorId)).toBe(1);
  expect(await leftAfter(1, "mfa_challenges", "factor_id", factorId)).toBe(0);
});

it("deletes a change of address a day after its code expired", async () => {
  const someone = await student(app);
  await someone.call("PUT", "/auth/v1/user", { email: `new-${someone.email}` });
  const [change] = await app.sql<{ expires_at: Date }>("select expires_at from email_changes where account_id = $1", [
    someone.id,
  ]);
  const seconds = (change!.expires_at.getTime() - app.clock.now().getTime()) / 1000 + 24 * 3600;
  expect(await leftAfter(seconds, "email_changes", "account_id", someone.id)).toBe(1);
  expect(await leftAfter(1, "email_changes", "account_id", someone.id)).toBe(0);
});

it("names each kind of rows, so that the operator reads which could not be deleted", () => {
  const names = removals.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).not.toContain("");
});
