import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import type { Principal } from "../../platform/http/access.ts";
import { getAccount } from "./account.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

it("has no account for a caller who was deleted since the session was checked", async () => {
  const caller = { id: randomUUID() } as Principal;
  await expect(getAccount(app.deps, caller)).rejects.toMatchObject({ code: "not_signed_in", reason: "session_ended" });
});
