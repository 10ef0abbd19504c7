import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { transaction } from "#server/platform/db/transaction";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { codeFor, mailsTo } from "../../../../../tests/support/mails/received.ts";
import {
  admin,
  goodPassword,
  signIn,
  student,
  visitor,
  type Answer,
  type Person,
} from "../../../../../tests/support/people.ts";
import { answerChallenge, enroll, passSecondFactor, turnOnSecondFactor } from "../../../../../tests/support/second-factor.ts";
import { deleteUnverifiedFactor, hasPassedFrom } from "./queries.ts";

/** Two others with all that an account has: one with a second factor, one with an unfinished enrolment. */
let app: TestApp;
let others: string[];
let othersFactor: string;
beforeAll(async () => {
  app = await startApp();
  const [one, other] = [await student(app), await student(app)];
  const { person, authenticator } = await turnOnSecondFactor(app, one);
  const waiting = await signIn(app, one.email, goodPassword);
  const unfinished = await enroll(app, other);
  await answerChallenge(waiting, authenticator.factorId, "000000");
  await answerChallenge(other, unfinished.factorId, "000000");
  for (const someone of [person, other]) await someone.call("PUT", "/auth/v1/user", { email: `new-${someone.email}` });
  [others, othersFactor] = [[one.id, other.id], authenticator.factorId];
});
afterAll(() => app?.close());

const ofOthers = "factor_id in (select id from mfa_factors where account_id = any($1))";
const rows: Record<string, string> = {
  accounts: "id = any($1)",
  sessions: "account_id = any($1)",
  email_changes: "account_id = any($1)",
  mfa_factors: "account_id = any($1)",
  mfa_recovery_codes: ofOthers,
  mfa_challenges: ofOthers,
};
const rowsOfOthers = async (): Promise<Record<string, unknown[]>> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(rows).map(async ([table, condition]) => [
        table,
        await app.sql(`select to_jsonb(${table}) as row from ${table} where ${condition} order by to_jsonb(${table})::text`, [
          others,
        ]),
      ]),
    ),
  );

const succeeds = async (call: Promise<Answer>): Promise<void> => expect((await call).status).toBe(200);
const update = (someone: Person, form: object): Promise<void> => succeeds(someone.call("PUT", "/auth/v1/user", form));
const turnOff = (person: Person, factorId: string) => succeeds(person.call("DELETE", `/auth/v1/factors/${factorId}`));

let someone: Person;
beforeEach(async () => {
  someone = await student(app);
  app.clock.advance(1);
});

// FACTOR-1 to FACTOR-6, OWN-2, OWN-3.
it.each<[string, () => Promise<unknown>]>([
  ["begins an enrolment anew", async () => [await enroll(app, someone), await enroll(app, someone)]],
  ["turns a second factor on", () => turnOnSecondFactor(app, someone)],
  [
    "turns it off",
    async () => {
      const { person, authenticator } = await turnOnSecondFactor(app, someone);
      await turnOff(person, authenticator.factorId);
    },
  ],
  [
    "has it removed by the admin",
    async () => {
      await turnOnSecondFactor(app, someone);
      await succeeds((await admin(app)).call("DELETE", `/functions/v1/admin-users/second-factor?userId=${someone.id}`));
    },
  ],
  ["changes the name", () => update(someone, { data: { full_name: "Nok Newname" } })],
  ["cancels a change of address", () => update(someone, { email: someone.email })],
  [
    "changes the address",
    async () => {
      const email = `moved-${someone.email}`;
      await update(someone, { email });
      const form = { type: "email_change", email, token: await codeFor(app, email) };
      await succeeds(visitor(app).call("POST", "/auth/v1/verify", form));
    },
  ],
])("changes nothing of other accounts when somebody %s", async (_what, action) => {
  const before = await rowsOfOthers();
  expect(Object.values(before).map((found) => found.length > 0)).toEqual(Object.keys(rows).map(() => true));
  await action();
  expect(await rowsOfOthers()).toEqual(before);
});

// FACTOR-4, AUDIT-1.
it("uses up and counts recovery codes of one factor, and records what is left", async () => {
  const { authenticator } = await turnOnSecondFactor(app, someone);
  const { factorId, recoveryCodes } = authenticator;
  const copy = `insert into mfa_recovery_codes (factor_id, code_hash)
    select $2, code_hash from mfa_recovery_codes where factor_id = $1`;
  await app.sql(copy, [factorId, othersFactor]);
  const before = await rowsOfOthers();
  await passSecondFactor(app, await signIn(app, someone.email, goodPassword), authenticator, recoveryCodes[0]);
  expect(await rowsOfOthers()).toEqual(before);
  expect((await mailsTo(app, someone.email))[0]?.text).toContain("9 recovery codes are left.");
  const entries = "select action, subject_type, details from audit_log where subject_id = $1 order by at desc, id desc limit 1";
  expect(await app.sql(entries, [someone.id])).toEqual([
    { action: "account.recovery-code-use", subject_type: "account", details: { left: 9 } },
  ]);
});

// FACTOR-3.
it("knows a network by the second factor of the account alone", async () => {
  const network = "192.0.2.0/24";
  const { factorId } = await enroll(app, someone);
  await app.sql("update mfa_factors set passed_networks = $2 where id = any($1)", [[factorId, othersFactor], [network]]);
  const accounts = [someone.id, ...others];
  const known = await Promise.all(accounts.map((id) => hasPassedFrom(app.deps.db, id, network)));
  expect(known).toEqual([false, true, false]);
});

// FACTOR-1.
it("replaces an unfinished enrolment alone", async () => {
  const before = await rowsOfOthers();
  await transaction(app.deps.db, (tx) => deleteUnverifiedFactor(tx, others[0]!));
  expect(await rowsOfOthers()).toEqual(before);
});
