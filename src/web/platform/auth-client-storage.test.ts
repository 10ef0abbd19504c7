// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { refuseStorage } from "../../../tests/support/refuse-storage.ts";

const session = { access_token: "new", refresh_token: "one", token_type: "bearer", expires_in: 600, user: { id: "malee" } };

beforeEach(() => {
  vi.resetModules();
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(console, "warn").mockImplementation(() => {});
  refuseStorage();
  const refuse = () => Promise.reject(new DOMException("Access to the Locks API is denied.", "SecurityError"));
  vi.stubGlobal("navigator", { locks: { request: refuse } });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Signs in; returns the auth client of a page that stores nothing. */
async function signedIn() {
  const client = await import("./auth-client.ts");
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(session)));
  await client.dataOf(() => client.auth.signInWithPassword({ email: "malee@example.com", password: "a" }));
  return client;
}

test("a browser that refuses its storage is signed in as long as the page", async () => {
  const before = await import("./auth-client.ts");
  expect([before.isSessionStored(), before.wasSessionLost(), before.storedName()]).toEqual([false, false, undefined]);
  const client = await signedIn();
  expect([client.isSessionStored(), await client.accessToken()]).toEqual([true, "new"]);
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(null, { status: 204 })));
  await client.loseSession();
  expect([await client.accessToken(), client.wasSessionLost()]).toEqual([undefined, true]);
});

// SESSION-5
test("a browser that refuses its storage is signed out without a connection", async () => {
  const client = await signedIn();
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await client.endSession();
  expect([client.isSessionStored(), await client.accessToken()]).toEqual([false, undefined]);
});

// SESSION-5
test("a browser that refuses its storage is signed out at once on a stalled line", async () => {
  const client = await signedIn();
  const line = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(line.signal);
  const stalled: typeof fetch = (_input, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(new DOMException("Aborted.", "AbortError")));
    });
  vi.stubGlobal("fetch", stalled);
  const ended = client.endSession();
  expect([client.isSessionStored(), await client.accessToken()]).toEqual([false, undefined]);
  line.abort();
  await ended;
});
