// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import {
  auth,
  dataOf,
  endSession,
  forgetSessionLoss,
  isSessionStored,
  loseSession,
  renewOrLoseSession,
  wasSessionLost,
  watchSession,
} from "./auth-client.ts";

afterEach(() => {
  forgetSessionLoss();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

// JOURNEY-3
test("a lost session ends also where the browser refuses to store why", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  vi.stubGlobal("sessionStorage", {
    setItem: () => {
      throw new DOMException("Full.", "QuotaExceededError");
    },
  });
  vi.spyOn(auth, "signOut").mockResolvedValue({ error: null });
  localStorage.setItem("sb-pipwright-auth-token", "{}");
  await loseSession();
  expect([isSessionStored(), wasSessionLost()]).toEqual([false, true]);
  expect(logged).toHaveBeenCalledWith(expect.objectContaining({ name: "QuotaExceededError" }));
});

/** Replaces the signals of timeouts, which ignore the test clock. */
function signalsByTestClock(): void {
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const over = new AbortController();
    setTimeout(() => over.abort(), ms);
    return over.signal;
  });
}

/** A request on a line that carries nothing any longer. */
const stalled: typeof fetch = (_input, init) =>
  new Promise((_resolve, reject) => {
    const abort = (): void => reject(new DOMException("Aborted.", "AbortError"));
    if (init?.signal?.aborted) abort();
    init?.signal?.addEventListener("abort", abort);
  });

// SESSION-5
test.each([
  ["there is no connection", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["the server puts it off", () => Promise.resolve(new Response(null, { status: 429 }))],
])("a stored session that cannot be renewed while %s is not taken for none", async (_when, reply) => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.useFakeTimers();
  const user = { id: "malee" };
  const session = { access_token: "old", refresh_token: "one", token_type: "bearer", expires_in: 600, user };
  localStorage.setItem("sb-pipwright-auth-token", JSON.stringify({ ...session, expires_at: 1 }));
  vi.stubGlobal("fetch", vi.fn<typeof fetch>(reply));
  const listener = vi.fn<Parameters<typeof watchSession>[0]>();
  const stop = watchSession(listener);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(listener.mock.calls).toEqual([[undefined]]);
  expect(isSessionStored()).toBe(true);

  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ ...session, access_token: "new" })));
  expect(await renewOrLoseSession()).toBe(true);
  expect(listener).toHaveBeenLastCalledWith(expect.objectContaining({ access_token: "new" }));
  stop();
  localStorage.clear();
});

// SESSION-5
test("a refresh that stalls is given up late, and the session kept", async () => {
  vi.useFakeTimers();
  signalsByTestClock();
  vi.spyOn(console, "error").mockImplementation(() => {});
  const session = { access_token: "old", refresh_token: "one", token_type: "bearer", expires_in: 600, user: { id: "malee" } };
  localStorage.setItem("sb-pipwright-auth-token", JSON.stringify({ ...session, expires_at: 4_000_000_000 }));
  vi.stubGlobal("fetch", vi.fn<typeof fetch>(stalled));
  const renewed = vi.fn<(hasGoneOn: boolean) => void>();
  void renewOrLoseSession().then(renewed);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(renewed).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(11_000);
  expect(renewed.mock.calls).toEqual([[false]]);
  expect(isSessionStored()).toBe(true);
  localStorage.clear();
});

// SESSION-5
test("a tab from which another takes the lock during a slow refresh goes on", async () => {
  vi.spyOn(console, "warn").mockImplementation(() => {});
  let steal = (): void => {};
  const request = (_name: string, { ifAvailable }: LockOptions, call: LockGrantedCallback<unknown>) =>
    new Promise((resolve, reject) => {
      // Timers of clients that earlier tests left ask this way.
      if (ifAvailable) return void Promise.resolve(call(null)).then(resolve, reject);
      steal = () => reject(new DOMException("Stolen.", "AbortError"));
      void Promise.resolve(call({ name: "lock", mode: "exclusive" })).then(resolve, reject);
    });
  vi.stubGlobal("navigator", { locks: { request } });
  const session = { access_token: "old", refresh_token: "one", token_type: "bearer", expires_in: 600, user: { id: "malee" } };
  localStorage.setItem("sb-pipwright-auth-token", JSON.stringify({ ...session, expires_at: 1 }));
  let answer: (reply: Response) => void = () => {};
  const ask = vi.fn<typeof fetch>(() => new Promise((resolve) => (answer = resolve)));
  vi.stubGlobal("fetch", ask);

  vi.resetModules();
  const { accessToken } = await import("./auth-client.ts");
  await expect.poll(() => ask.mock.calls.length).toBe(1);
  steal();
  const token = accessToken();
  answer(Response.json({ ...session, access_token: "new" }));
  expect(await token).toBe("new");
  localStorage.clear();
});

test("a sign-in succeeds in browsers without a static Response.json", async () => {
  const session = { access_token: "new", refresh_token: "one", token_type: "bearer", expires_in: 600, user: { id: "malee" } };
  const reply = Response.json({ ...session, expires_at: 1 });
  vi.spyOn(Response, "json").mockImplementation(() => {
    throw new TypeError("Response.json is not a function");
  });
  vi.stubGlobal("fetch", () => Promise.resolve(reply));
  const signedIn = await dataOf(() => auth.signInWithPassword({ email: "malee@example.com", password: "a" }));
  expect(signedIn.session).toMatchObject({ access_token: "new" });
  localStorage.clear();
});

/** Signs out with a stored session. Returns the paths and tokens of the requests, in order. */
async function signOutWith(replies: Response[]): Promise<unknown[]> {
  const stored = { access_token: "old", refresh_token: "one", user: { id: "malee" } };
  localStorage.setItem("sb-pipwright-auth-token", JSON.stringify(stored));
  const asked: unknown[] = [];
  vi.stubGlobal("fetch", (address: string, { headers }: RequestInit) => {
    expect(isSessionStored()).toBe(false);
    const { pathname } = new URL(address);
    asked.push([pathname, new Headers(headers).get("authorization")]);
    return Promise.resolve(replies.shift());
  });
  await endSession();
  return asked;
}

// SESSION-5
test("signing out forgets the session before the server replies", async () => {
  let reply = (_reply: Response): void => {};
  const ask = vi.fn<typeof fetch>(() => new Promise((resolve) => (reply = resolve)));
  vi.stubGlobal("fetch", ask);
  localStorage.setItem("sb-pipwright-auth-token", JSON.stringify({ access_token: "old", refresh_token: "one" }));
  const ended = endSession();
  expect(isSessionStored()).toBe(false);
  expect(ask).toHaveBeenCalledExactlyOnceWith(
    `${location.origin}/auth/v1/logout?scope=local`,
    expect.objectContaining({ method: "POST", headers: { authorization: "Bearer old" }, keepalive: true }),
  );
  // Asked again by whatever meets the missing session, which says nothing of a loss.
  const lost = loseSession();
  reply(new Response(null, { status: 204 }));
  await Promise.all([ended, lost]);
  expect([ask.mock.calls.length, wasSessionLost()]).toEqual([1, false]);
});

// SESSION-5
test("signing out on a stalled line gives up, so that a sign-in can follow", async () => {
  vi.useFakeTimers();
  signalsByTestClock();
  vi.spyOn(console, "error").mockImplementation(() => {});
  localStorage.setItem("sb-pipwright-auth-token", JSON.stringify({ access_token: "old", refresh_token: "one" }));
  const ask = vi.fn<typeof fetch>(stalled).mockResolvedValueOnce(new Response(null, { status: 401 }));
  vi.stubGlobal("fetch", ask);
  const ended = vi.fn<() => void>();
  void endSession().then(ended);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ended).toHaveBeenCalledOnce();
});

test("a sign-in waits until the session before it is signed out", async () => {
  let signOut = (_reply: { error: null }): void => {};
  vi.spyOn(auth, "signOut").mockReturnValue(new Promise((resolve) => (signOut = resolve)));
  const order: string[] = [];
  const ended = endSession();
  const signedIn = dataOf(() => {
    order.push("signed in");
    return Promise.resolve({ data: "in", error: null });
  });
  order.push("signed out");
  signOut({ error: null });
  await Promise.all([signedIn, ended]);
  expect(order).toEqual(["signed out", "signed in"]);
});

// SESSION-5
test("signing out renews a refused access token without storing it", async () => {
  const renewed = { access_token: "new", refresh_token: "two", token_type: "bearer", expires_in: 600, user: { id: "malee" } };
  const replies = [new Response(null, { status: 401 }), Response.json(renewed), new Response(null, { status: 204 })];
  expect(await signOutWith(replies)).toEqual([
    ["/auth/v1/logout", "Bearer old"],
    ["/auth/v1/token", null],
    ["/auth/v1/logout", "Bearer new"],
  ]);
});
