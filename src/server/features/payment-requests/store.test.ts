import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import type { Principal } from "../../platform/http/access.ts";
import { storeOnce } from "./store.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

it("fails with what a submit failed with where no rule refuses it", async () => {
  const fault = new Error("The disk is full.");
  const payer = { id: crypto.randomUUID() } as Principal;
  const stored = storeOnce(
    app.deps,
    payer,
    () => Promise.resolve(undefined),
    () => Promise.reject(fault),
  );
  await expect(stored).rejects.toBe(fault);
});
