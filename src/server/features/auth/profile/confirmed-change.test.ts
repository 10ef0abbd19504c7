import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProductError } from "#domain/errors/messages";
import type { Limit } from "#server/platform/http/rate-limit";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { behindTransaction } from "../../../../../tests/support/database/behind-transaction.ts";
import { codeFor } from "../../../../../tests/support/mails/received.ts";
import { soon } from "../../../../../tests/support/soon.ts";
import { goodPassword, outcome, signIn, student, visitor } from "../../../../../tests/support/people.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

const newAddress = (): string => `${randomUUID()}@example.com`;

// OWN-3
describe("a change of address", () => {
  it("is confirmed by a code with blanks around it, and recorded for its account", async () => {
    const [owner, address] = [await student(app), newAddress()];
    await owner.call("PUT", "/auth/v1/user", { email: address });
    const form = { type: "email_change", email: address, token: ` ${await codeFor(app, address)} ` };
    expect((await visitor(app).call("POST", "/auth/v1/verify", form)).status).toBe(200);
    const entries = await app.sql("select subject_type, details from audit_log where subject_id = $1 and action = $2", [
      owner.id,
      "account.email-change",
    ]);
    expect(entries).toEqual([
      { subject_type: "account", details: expect.objectContaining({ before: owner.email, after: address }) },
    ]);
  });

  it.each([
    [300, 200],
    [301, 400],
  ])("is replied to, by a code of a clock that was %i seconds ahead, with %i", async (seconds, status) => {
    const [owner, address] = [await student(app), newAddress()];
    app.clock.set(seconds);
    await owner.call("PUT", "/auth/v1/user", { email: address });
    app.clock.set(-seconds);
    const form = { type: "email_change", email: address, token: await codeFor(app, address) };
    expect((await visitor(app).call("POST", "/auth/v1/verify", form)).status).toBe(status);
  });

  it("ends the waiting mail of a code when a taken address is requested", async () => {
    const [owner, other, address] = [await student(app), await student(app), newAddress()];
    await owner.call("PUT", "/auth/v1/user", { email: address });
    // One that was never tried would be due at once.
    const waits = `update mail_outbox set sent_at = null, attempts = 1, failure_kind = 'server', last_error = 'Closed',
      next_attempt_at = $2, sealed_body = '' where recipient = $1 and sent_at is not null returning id`;
    const later = new Date(app.clock.now().getTime() + 3_600_000);
    await soon(async () => expect(await app.sql(waits, [address, later])).toHaveLength(1));
    app.clock.advance(61);
    await owner.call("PUT", "/auth/v1/user", { email: other.email });
    expect(await app.sql("select next_attempt_at, last_error from mail_outbox where recipient = $1", [address])).toEqual([
      { next_attempt_at: null, last_error: "Not sent, because another address was requested." },
    ]);
  });

  it("is no longer named once its code has expired", async () => {
    const [owner, address] = [await student(app), newAddress()];
    await owner.call("PUT", "/auth/v1/user", { email: address });
    // Anew each time: an access token lives no longer than the code.
    const user = async () => (await (await signIn(app, owner.email, goodPassword)).call("GET", "/auth/v1/user")).body;
    app.clock.advance(599);
    expect(await user()).toMatchObject({ id: owner.id, new_email: address });
    app.clock.advance(1);
    expect(await user()).toMatchObject({ id: owner.id });
    expect((await user()).new_email).toBeUndefined();
  });

  const locked = "with account as (select id from accounts where id = $1 for update)";
  const ofAccount = "where account_id in (select id from account)";

  it.each([
    ["its account is deleted", "delete from accounts where id = $1", []],
    [
      "its code expires",
      `${locked} update email_changes set created_at = created_at - interval '601 s', expires_at = expires_at - interval '601 s' ${ofAccount}`,
      [{ tries: 0 }],
    ],
    [
      "another address is requested",
      `${locked} update email_changes set new_email = 'x' || new_email ${ofAccount}`,
      [{ tries: 0 }],
    ],
  ])("is refused, and no try counted, when %s meanwhile", async (_what, text, left) => {
    const [owner, address] = [await student(app), newAddress()];
    await owner.call("PUT", "/auth/v1/user", { email: address });
    const form = { type: "email_change", email: address, token: await codeFor(app, address) };
    const answer = await behindTransaction(app, { text, values: [owner.id] }, () =>
      visitor(app).call("POST", "/auth/v1/verify", form),
    );
    expect(outcome(answer)).toEqual([400, "verification_code_invalid"]);
    expect(await app.sql("select tries from email_changes where account_id = $1", [owner.id])).toEqual(left);
  });

  const confirmedAndAnother = `with account as (update accounts set email = (select new_email from email_changes where account_id = $1)
    where id = $1 returning id) update email_changes set new_email = 'x' || new_email ${ofAccount}`;

  it.each([
    ["that is cancelled while others ask for it", `${locked} delete from email_changes ${ofAccount}`, []],
    ["that the account has got, while it asks for another", confirmedAndAnother, ["another"]],
  ])("is mailed no code for an address %s", async (_what, text, left) => {
    const [owner, other, address] = [await student(app), await student(app), newAddress()];
    for (const someone of [owner, other]) await someone.call("PUT", "/auth/v1/user", { email: address });
    app.clock.advance(301);
    const answer = await behindTransaction(app, { text, values: [owner.id] }, () =>
      visitor(app).call("POST", "/auth/v1/resend", { type: "email_change", email: address }),
    );
    expect(answer.status).toBe(200);
    const found = await app.sql("select new_email from email_changes where account_id = $1", [owner.id]);
    expect(found.map(({ new_email }) => (new_email === address ? "the same" : "another"))).toEqual(left);
  });

  it.each([
    [200, new ProductError("too_many_requests")],
    [503, new ProductError("unavailable")],
    [500, new TypeError("The counters are gone.")],
  ])("is replied to with %i, when another code is asked for, after: %s", async (status, failure) => {
    const [owner, address] = [await student(app), newAddress()];
    await owner.call("PUT", "/auth/v1/user", { email: address });
    app.clock.advance(301);
    const consume = ({ name }: Limit): Promise<void> =>
      name === "new-address-account" ? Promise.reject(failure) : Promise.resolve();
    const site = await startApp({ beside: app, parts: { limits: { ...app.deps.limits, consume } } });
    try {
      const answer = await visitor(site).call("POST", "/auth/v1/resend", { type: "email_change", email: address });
      expect(answer.status).toBe(status);
    } finally {
      await site.close();
    }
  });
});
