// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { auth, endSession, isSessionStored, watchSession } from "./auth-client.ts";

afterEach(() => {
  localStorage.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const sessionOf = (session_id: string) => {
  const access_token = `head.${btoa(JSON.stringify({ session_id }))}.signature`;
  return { access_token, refresh_token: "one", token_type: "bearer", expires_at: 4_000_000_000, user: { id: session_id } };
};
const store = (session: object): void => localStorage.setItem("sb-pipwright-auth-token", JSON.stringify(session));

// SESSION-5
test("signing out on a slow line leaves a session that began in another tab meanwhile", async () => {
  let reply = (_reply: Response): void => {};
  const ask = vi.fn<typeof fetch>(() => new Promise((resolve) => (reply = resolve)));
  vi.stubGlobal("fetch", ask);
  store(sessionOf("malee"));
  const listener = vi.fn<Parameters<typeof watchSession>[0]>();
  const stop = watchSession(listener);
  const ended = endSession();
  store(sessionOf("nok"));
  reply(new Response(null, { status: 204 }));
  await ended;
  expect([isSessionStored(), ask.mock.calls.length]).toEqual([true, 1]);
  expect(listener).toHaveBeenLastCalledWith(expect.objectContaining({ user: { id: "nok" } }));

  // What a refresh under way has stored meanwhile is the same session.
  store(sessionOf("malee"));
  const again = endSession();
  store({ ...sessionOf("malee"), refresh_token: "two" });
  ask.mockResolvedValue(new Response(null, { status: 204 }));
  reply(new Response(null, { status: 204 }));
  await again;
  expect(isSessionStored()).toBe(false);
  expect(listener).toHaveBeenLastCalledWith(null);
  stop();
});

// SESSION-5
test("signing out leaves a session that began while the other tabs were told", async () => {
  const ask = vi.fn<typeof fetch>(() => Promise.resolve(new Response(null, { status: 204 })));
  vi.stubGlobal("fetch", ask);
  store(sessionOf("malee"));
  const listener = vi.fn<Parameters<typeof watchSession>[0]>();
  const stop = watchSession(listener);
  const signOut = auth.signOut.bind(auth);
  vi.spyOn(auth, "signOut").mockImplementation((options) => {
    store(sessionOf("nok"));
    return signOut(options);
  });
  await endSession();
  expect([isSessionStored(), ask.mock.calls.length]).toEqual([true, 1]);
  expect(listener).toHaveBeenLastCalledWith(expect.objectContaining({ user: { id: "nok" } }));
  stop();
});

// SESSION-5
test("signing out sends no unlimited request for what a refresh has stored meanwhile", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  store(sessionOf("malee"));
  let fail = (_reason: Error): void => {};
  const ask = vi.fn<typeof fetch>(() => new Promise((_resolve, reject) => (fail = reject)));
  vi.stubGlobal("fetch", ask);
  const ended = endSession();
  store({ ...sessionOf("malee"), refresh_token: "two" });
  fail(new TypeError("Failed to fetch"));
  await ended;
  expect([isSessionStored(), ask.mock.calls.length]).toEqual([false, 1]);
});
