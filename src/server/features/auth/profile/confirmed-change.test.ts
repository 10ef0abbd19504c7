import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { codeFor } from "../../../../../tests/support/mails/received.ts";
import { soon } from "../../../../../tests/support/soon.ts";
import { student, visitor } from "../../../../../tests/support/people.ts";

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
});
