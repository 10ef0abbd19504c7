// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { refuseStorage } from "../../../tests/support/refuse-storage.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test("a browser that refuses its storage is signed in as long as the page", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
  refuseStorage();
  const refuse = () => Promise.reject(new DOMException("Access to the Locks API is denied.", "SecurityError"));
  vi.stubGlobal("navigator", { locks: { request: refuse } });
  const session = { access_token: "new", refresh_token: "one", token_type: "bearer", expires_in: 600, user: { id: "malee" } };
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(session)));
  const client = await import("./auth-client.ts");
  expect([client.isSessionStored(), client.wasSessionLost(), client.storedName()]).toEqual([false, false, undefined]);
  await client.dataOf(() => client.auth.signInWithPassword({ email: "malee@example.com", password: "a" }));
  expect(await client.accessToken()).toBe("new");
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(null, { status: 204 })));
  await client.loseSession();
  expect([await client.accessToken(), client.wasSessionLost()]).toEqual([undefined, true]);
});
