import { randomInt } from "node:crypto";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { codeFor } from "../../../../tests/support/mails/received.ts";
import { unverifiedStudent } from "../../../../tests/support/people.ts";

vi.mock("node:crypto", async (load) => {
  const crypto = await load<typeof import("node:crypto")>();
  return { ...crypto, randomInt: vi.fn<(min: number, max: number) => number>(crypto.randomInt) };
});
const draw = vi.mocked<(min: number, max: number) => number>(randomInt);

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

// VERIFY-1.
it.each([
  ["lowest", (min: number) => min, "100000"],
  ["highest", (_min: number, max: number) => max - 1, "999999"],
])("mails the %s code that can be drawn, which verifies the account", async (_which, choose, code) => {
  const someone = await unverifiedStudent(app);
  draw.mockImplementationOnce(choose);
  expect((await someone.call("POST", "/functions/v1/send-verification-email", {})).status).toBe(200);
  expect(await codeFor(app, someone.email)).toBe(code);
  expect((await someone.call("POST", "/functions/v1/verify-email", { code })).body).toEqual({ verified: true });
});
