import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { mailServer, type Mailserver } from "../../../../tests/support/mails/mail-server.ts";
import { student, unverifiedStudent, type Person } from "../../../../tests/support/people.ts";
import { soon } from "../../../../tests/support/soon.ts";

let app: TestApp;
let server: Mailserver;
const refusedAddresses = new Set<string>();
beforeAll(async () => {
  const recipient = (to: string) => (refusedAddresses.has(to) ? { code: 550, text: "No such user" } : undefined);
  server = await mailServer({ refuseAt: { recipient } });
  app = await startApp({ environment: { SMTP_URL: server.url } });
});
afterAll(async () => {
  await app?.close();
  await server?.stop();
});

const send = (someone: Person) => someone.call("POST", "/functions/v1/send-verification-email", {});
const tryCode = (someone: Person) => someone.call("POST", "/functions/v1/verify-email", { code: "000000" });
const statusOf = async (someone: Person) => (await someone.call("GET", "/api/me")).body.verification;

/** VERIFY-7. */
describe("the profile of an unverified student", () => {
  it("counts down to the next code", async () => {
    const someone = await unverifiedStudent(app);
    expect(await statusOf(someone)).toEqual({ resend_after: 0, tries_left: 0, mail_failed: false });
    await send(someone);
    expect(await statusOf(someone)).toMatchObject({ resend_after: 60, tries_left: 5 });
    app.clock.advance(45);
    expect((await statusOf(someone)).resend_after).toBe(15);
    app.clock.advance(15);
    expect((await statusOf(someone)).resend_after).toBe(0);
    expect((await send(someone)).status).toBe(200);
    expect((await statusOf(someone)).resend_after).toBe(60);
  });

  it("counts the tries of the newest code, and has none left once it has expired", async () => {
    const someone = await unverifiedStudent(app);
    await send(someone);
    for (const left of [4, 3, 2, 1, 0, 0]) {
      await tryCode(someone);
      expect((await statusOf(someone)).tries_left).toBe(left);
    }
    app.clock.advance(60);
    await send(someone);
    expect((await statusOf(someone)).tries_left).toBe(5);
    const shorten = "update verification_codes set expires_at = created_at + interval '1 second' where user_id = $1";
    await app.sql(shorten, [someone.id]);
    app.clock.advance(1);
    expect((await statusOf(someone)).tries_left).toBe(0);
  });

  it("reports that the code could not be mailed, until another one was", async () => {
    const someone = await unverifiedStudent(app);
    refusedAddresses.add(someone.email);
    await send(someone);
    const other = await unverifiedStudent(app);
    await send(other);
    await soon(async () => expect((await statusOf(someone)).mail_failed).toBe(true));
    expect((await statusOf(other)).mail_failed).toBe(false);
    refusedAddresses.delete(someone.email);
    app.clock.advance(60);
    await send(someone);
    expect((await statusOf(someone)).mail_failed).toBe(false);
    await soon(() => expect(server.taken.some(({ to }) => to.includes(someone.email))).toBe(true));
    expect((await statusOf(someone)).mail_failed).toBe(false);
  });

  it("reports the same about an address that has an account", async () => {
    const owner = await student(app);
    const stranger = await unverifiedStudent(app, owner.email);
    refusedAddresses.add(owner.email);
    await send(stranger);
    await soon(async () => expect(await statusOf(stranger)).toEqual({ resend_after: 60, tries_left: 5, mail_failed: true }));
  });

  it("reports nothing about codes once the address is verified", async () => {
    expect(await statusOf(await student(app))).toBeNull();
  });
});
