import { afterAll, beforeAll, expect, it } from "vitest";
import { adminEmail, startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { recoveryTokenFor } from "../../../../../tests/support/mails/received.ts";
import { admin, visitor, withSession, type Person } from "../../../../../tests/support/people.ts";
import {
  answerChallenge,
  passSecondFactor,
  turnOnSecondFactor,
  type Authenticator,
} from "../../../../../tests/support/second-factor.ts";

let app: TestApp;
let operator: Person;
let authenticator: Authenticator;
beforeAll(async () => {
  app = await startApp();
  ({ person: operator, authenticator } = await turnOnSecondFactor(app, await admin(app)));
});
afterAll(() => app?.close());

/** What the log has of sign-ins since the last look. */
let seen = 0;
async function newEntries(): Promise<unknown[]> {
  const rows = await app.sql<{ id: string; action: string; details: { by: string } }>(
    "select id, action, details from audit_log where action like 'admin.sign-in%' and actor_email = $1 and id > $2 order by id",
    [adminEmail, seen],
  );
  seen = Number(rows.at(-1)?.id ?? seen);
  return rows.map(({ action, details }) => [action, details.by]);
}

// AUDIT-3, FACTOR-2
it("has a sign-in of the admin in the log only once the code is given", async () => {
  expect(await newEntries()).toEqual([["admin.sign-in", "password"]]);
  const half = await admin(app);
  expect((await half.call("GET", "/api/users")).status).toBe(403);
  expect((await answerChallenge(half, authenticator.factorId, "000000")).status).toBe(422);
  expect(await newEntries()).toEqual([["admin.sign-in-begin", "password"]]);

  const whole = await passSecondFactor(app, half, authenticator);
  expect(await newEntries()).toEqual([["admin.sign-in", "password"]]);
  app.clock.advance(30);
  await passSecondFactor(app, whole, authenticator);
  expect(await newEntries()).toEqual([]);
});

it("has both steps in the log of a sign-in by a recovery link", async () => {
  await visitor(app).call("POST", "/auth/v1/recover", { email: adminEmail });
  const token_hash = await recoveryTokenFor(app, adminEmail);
  const { body } = await visitor(app).call("POST", "/auth/v1/verify", { type: "recovery", token_hash });
  expect(await newEntries()).toEqual([["admin.sign-in-begin", "recovery"]]);
  app.clock.advance(30);
  await passSecondFactor(app, withSession(app, operator, body), authenticator);
  expect(await newEntries()).toEqual([["admin.sign-in", "recovery"]]);
});
