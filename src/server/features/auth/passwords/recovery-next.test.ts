import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { mailsTo } from "../../../../../tests/support/mails.ts";
import { student, visitor } from "../../../../../tests/support/people.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

// JOURNEY-1
it.each([
  ["/payment?package=advanced", "\\?next=%2Fpayment%3Fpackage%3Dadvanced"],
  ["https://evil.example/", ""],
  ["//evil.example", ""],
  ["/student\r\nBcc: x@evil.example", ""],
])("a recovery link leads on to %j only where it is a page of this site", async (wanted, end) => {
  const someone = await student(app);
  const path = `/auth/v1/recover?redirect_to=${encodeURIComponent(wanted)}`;
  expect((await visitor(app).call("POST", path, { email: someone.email })).status).toBe(200);
  const [mail] = await mailsTo(app, someone.email);
  expect(mail?.text).toMatch(new RegExp(`^${app.url}/auth${end}#recovery=[\\w-]+$`, "m"));
  expect(mail?.text).not.toContain("evil");
});
