// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from "vitest";
import { protocolCodes } from "#domain/api/auth";

afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const access_token = `head.${btoa(JSON.stringify({ session_id: "one" }))}.signature`;
const session = {
  access_token,
  refresh_token: "one",
  token_type: "bearer",
  expires_at: 4_000_000_000,
  user: { id: "malee" },
};

const tab = async () => {
  vi.resetModules();
  return import("./auth-client.ts");
};

// JOURNEY-3
test.each([
  ["that another tab has lost is reported here too", "renewOrLoseSession", true],
  ["that was signed out in another tab is not reported as lost", "endSession", false],
] as const)("a session %s", async (_title, end, isReported) => {
  for (const level of ["warn", "error"] as const) vi.spyOn(console, level).mockImplementation(() => {});
  const refusal = { code: protocolCodes.refresh_token_invalid, message: "The session has ended." };
  vi.stubGlobal("fetch", (address: string) =>
    Promise.resolve(address.includes("/token") ? Response.json(refusal, { status: 400 }) : new Response(null, { status: 204 })),
  );
  localStorage.setItem("sb-pipwright-auth-token", JSON.stringify(session));
  const [here, other] = [await tab(), await tab()];
  const seen = vi.fn<Parameters<typeof here.watchSession>[0]>();
  const stop = here.watchSession(seen);
  await expect.poll(() => seen.mock.lastCall).toEqual([expect.objectContaining({ access_token })]);
  await other[end]();
  // Each tab has its own.
  sessionStorage.clear();
  await expect.poll(() => seen.mock.lastCall).toEqual([null]);
  expect(here.wasSessionLost()).toBe(isReported);
  stop();
});

// JOURNEY-3
test("a session that another tab loses before this one begins is reported once", async () => {
  let begin = (): void => {};
  const turn = new Promise<void>((resolve) => (begin = resolve));
  const authLock = (_name: string, _timeout: number, run: () => Promise<unknown>) => turn.then(run);
  vi.doMock("./auth-lock.ts", () => ({ authLock }));
  localStorage.setItem("sb-pipwright-auth-token", JSON.stringify({ ...session, expires_at: 1 }));
  const here = await tab();
  localStorage.removeItem("sb-pipwright-auth-token");
  localStorage.setItem("lost-session", "one");
  begin();
  const heard = async () => {
    const seen = vi.fn<Parameters<typeof here.watchSession>[0]>();
    const stop = here.watchSession(seen);
    await expect.poll(() => seen.mock.lastCall).toEqual([null]);
    stop();
    return here.wasSessionLost();
  };
  expect(await heard()).toBe(true);
  here.forgetSessionLoss();
  expect(await heard()).toBe(false);
  vi.doUnmock("./auth-lock.ts");
});

/** A tab whose calls of the auth service are answered by `reply`, with a session stored. */
const tabWith = async (reply: (address: string) => Promise<Response>, expires_at = session.expires_at) => {
  for (const level of ["warn", "error"] as const) vi.spyOn(console, level).mockImplementation(() => {});
  vi.stubGlobal("fetch", reply);
  localStorage.setItem("sb-pipwright-auth-token", JSON.stringify({ ...session, expires_at }));
  return tab();
};

// JOURNEY-3
test.each([
  ["for a call", true, session.expires_at],
  ["at a page's start", false, 1],
])("a session that is signed out during a renewal %s is not lost", async (_when, calls, expires_at) => {
  let refuse = (): void => {};
  const asked = vi.fn<() => void>();
  const refusal = { code: protocolCodes.refresh_token_invalid, message: "The session has ended." };
  const here = await tabWith((address) => {
    if (!address.includes("/token")) return Promise.resolve(new Response(null, { status: 204 }));
    asked();
    return new Promise((resolve) => (refuse = () => resolve(Response.json(refusal, { status: 400 }))));
  }, expires_at);
  const seen = vi.fn<Parameters<typeof here.watchSession>[0]>();
  const stop = here.watchSession(seen);
  const renewed = calls ? here.renewOrLoseSession() : undefined;
  await expect.poll(() => asked.mock.calls).toHaveLength(1);
  localStorage.removeItem("sb-pipwright-auth-token");
  refuse();
  expect(await renewed).toBe(calls ? false : undefined);
  await expect.poll(() => seen.mock.lastCall).toEqual([null]);
  expect([localStorage.getItem("lost-session"), here.wasSessionLost()]).toEqual([null, false]);
  stop();
});

// JOURNEY-3
test.each<[string, (here: Awaited<ReturnType<typeof tab>>) => Promise<unknown>]>([
  ["renewal", (here) => here.renewOrLoseSession()],
  ["call of the account", (here) => here.dataOf(() => here.auth.getUser()).catch(() => {})],
])("a %s after a sign-out in another tab ends the session, and reports no loss", async (_what, call) => {
  const here = await tabWith(() => Promise.resolve(new Response(null, { status: 204 })));
  await here.auth.getSession();
  localStorage.removeItem("sb-pipwright-auth-token");
  const seen = vi.fn<Parameters<typeof here.watchSession>[0]>();
  const stop = here.watchSession(seen);
  await call(here);
  await expect.poll(() => seen.mock.lastCall).toEqual([null]);
  expect(here.wasSessionLost()).toBe(false);
  stop();
});

// JOURNEY-3
test("a session that any call finds ended is told to the other tabs", async () => {
  const ended = { code: protocolCodes.session_ended, message: "The session has ended." };
  const here = await tabWith(() => Promise.resolve(Response.json(ended, { status: 403 })));
  await here.auth.getUser();
  expect(localStorage.getItem("lost-session")).toBe("one");
});

// JOURNEY-3
test("another session takes back what was told of the one before", async () => {
  localStorage.setItem("lost-session", "zero");
  const here = await tabWith(() => Promise.resolve(new Response(null, { status: 204 })));
  const stop = here.watchSession(() => {});
  await expect.poll(() => localStorage.getItem("lost-session")).toBeNull();
  stop();
});
