// Over 250 lines: every allowance of a sign-in, with what uses it up.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { adminEmail, adminPassword, startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { mailsTo } from "../../../../../tests/support/mails/received.ts";
import {
  goodPassword,
  outcome,
  student,
  unverifiedStudent,
  visitor,
  type Answer,
} from "../../../../../tests/support/people.ts";
import { deviceSeconds } from "#server/platform/http/client/device-cookie";

const behindProxy = { RATE_LIMITS: "on", TRUST_PROXY: "on" };
const home = "203.0.113.7";
const elsewhere = "192.0.2.99";

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ environment: behindProxy });
});
afterAll(() => app?.close());
/** Every test begins without the tries, networks and mails of others. Allowances are given back by the wall clock, which stands still. */
beforeEach(async () => {
  vi.spyOn(Date, "now").mockReturnValue(Date.now());
  await app.sql("truncate rate_limits, familiar_networks, mail_outbox");
});
afterEach(() => vi.restoreAllMocks());

interface Attempt {
  email?: string;
  password?: string;
  from: string;
  cookie?: string;
  on?: TestApp;
}
const signIn = ({ email = adminEmail, password = adminPassword, from, cookie, on = app }: Attempt): Promise<Answer> =>
  visitor(on).call(
    "POST",
    "/auth/v1/token?grant_type=password",
    { email, password },
    { "x-forwarded-for": from, ...(cookie === undefined ? {} : { cookie }) },
  );
const recover = (from: string, email = adminEmail): Promise<Answer> =>
  visitor(app).call("POST", "/auth/v1/recover", { email }, { "x-forwarded-for": from });
const cookieOf = (answer: Answer): string => answer.headers.get("set-cookie")!.split(";")[0]!;

/** Returns the addresses of a number of networks, `each` of every one. */
const addresses = (networks: number, each: number): string[] =>
  Array.from({ length: networks * each }, (_, index) => `198.51.${index % networks}.${1 + Math.floor(index / networks)}`);

/** Tries wrong passwords from many networks; returns how many of them were compared with the real one. */
async function attack(from: readonly string[]): Promise<number> {
  let compared = 0;
  for (let next = 0; next < from.length; next += 10) {
    const tries = from.slice(next, next + 10).map((ip, index) => signIn({ password: `guess ${next + index}`, from: ip }));
    for (const { status } of await Promise.all(tries)) if (status === 400) compared += 1;
  }
  return compared;
}

/** Lets time pass for the counters, which follow the wall clock. */
const letPass = (seconds: number) => app.sql("update rate_limits set expire = expire - $1", [seconds * 1000]);

// ACCOUNT-9.
describe("1,000 wrong passwords from 50 networks", () => {
  it("compares at most 100 of 1,000 passwords from 50 networks and admits the owner", async () => {
    const cookie = cookieOf(await signIn({ from: home }));
    expect(await attack(addresses(50, 20))).toBeLessThanOrEqual(100);

    expect(outcome(await signIn({ from: elsewhere }))).toEqual([429, "over_request_rate_limit"]);
    expect((await signIn({ from: "203.0.113.200" })).status).toBe(200);
    expect((await signIn({ from: elsewhere, cookie })).status).toBe(200);
    expect((await recover(home)).status).toBe(200);
    expect((await recover(elsewhere)).status).toBe(200);
  });

  it("admits one try a minute once an allowance is used up", async () => {
    await attack(addresses(5, 12));
    const refused = await signIn({ from: elsewhere });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    await letPass(60);
    expect((await signIn({ from: elsewhere })).status).toBe(200);
    expect((await signIn({ from: "192.0.3.1", password: "another guess" })).status).toBe(429);
  });

  it("counts wrong passwords over all processes", async () => {
    const second = await startApp({ environment: behindProxy, beside: app });
    try {
      const tries = Array.from({ length: 12 }, (_, index) => index);
      const statuses: number[] = [];
      for (const index of tries) {
        const { status } = await signIn({ password: `guess ${index}`, from: elsewhere, on: index % 2 ? app : second });
        statuses.push(status);
      }
      expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429]);
    } finally {
      await second.close();
    }
  });
});

describe("guesses by signing up", () => {
  const signUp = (email: string, password: string) =>
    visitor(app).call(
      "POST",
      "/auth/v1/signup",
      { email, password, data: { full_name: "Stranger" } },
      { "x-forwarded-for": elsewhere },
    );

  it("counts a sign-up as a try at the passwords of the address", async () => {
    const { email } = await unverifiedStudent(app);
    for (let guess = 0; guess < 10; guess++) await signIn({ email, password: `guess ${guess}`, from: elsewhere });
    expect(outcome(await signUp(email, goodPassword))).toEqual([429, "over_request_rate_limit"]);
    await letPass(90);
    expect((await signUp(email, goodPassword)).status).toBe(200);
    expect((await signUp(email, goodPassword)).status).toBe(429);
  });

  // ACCOUNT-3
  it("slows sign-ups with an address alike with and without an unfinished one", async () => {
    const { email } = await unverifiedStudent(app);
    for (const address of [email, `nobody-${email}`]) {
      for (let guess = 0; guess < 10; guess++) await signIn({ email: address, password: `guess ${guess}`, from: elsewhere });
      expect((await signUp(address, "the stranger's own words")).status).toBe(429);
    }
  });
});

describe("the allowance of a familiar network or device", () => {
  it("allows ten tries from a familiar network or device", async () => {
    const cookie = cookieOf(await signIn({ from: home }));
    for (const place of [{ from: home }, { from: elsewhere, cookie }]) {
      const statuses: number[] = [];
      for (let guess = 0; guess < 12; guess++) {
        statuses.push((await signIn({ ...place, password: `guess ${guess}` })).status);
      }
      expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(10);
      expect(statuses.at(-1)).toBe(429);
    }
  });

  it("makes nobody familiar through another account or an unfinished sign-up", async () => {
    const victim = await student(app);
    const own = await student(app);
    const cookie = cookieOf(await signIn({ email: own.email, password: goodPassword, from: elsewhere }));
    await visitor(app).call(
      "POST",
      "/auth/v1/signup",
      { email: victim.email, password: "the stranger's own words", data: { full_name: "Stranger" } },
      { "x-forwarded-for": elsewhere },
    );
    const inside = await signIn({ email: victim.email, password: "the stranger's own words", from: elsewhere });
    expect(inside.status).toBe(200);

    for (let network = 0; network < 50; network++) {
      await signIn({ email: victim.email, password: "a guess", from: `198.51.${network}.1` });
    }
    const stranger = { email: victim.email, password: goodPassword, from: elsewhere };
    expect((await signIn(stranger)).status).toBe(429);
    expect((await signIn({ ...stranger, cookie })).status).toBe(429);
    expect((await signIn({ ...stranger, cookie: cookieOf(inside) })).status).toBe(429);
    expect((await signIn({ ...stranger, cookie: "device=a.b.c" })).status).toBe(429);
    expect((await signIn({ ...stranger, from: "127.0.0.1" })).status).toBe(200);
  });

  it("ends a device's allowance at a password change and after 180 days", async () => {
    const someone = await student(app);
    const at = { email: someone.email, from: elsewhere };
    const old = cookieOf(await signIn({ ...at, password: goodPassword }));
    const changed = await someone.call(
      "PUT",
      "/auth/v1/user",
      { password: "an even finer password" },
      { "x-forwarded-for": "192.0.5.1" },
    );
    const renewed = cookieOf(changed);
    for (let network = 0; network < 50; network++) await signIn({ ...at, password: "a guess", from: `198.51.${network}.1` });
    const now = { ...at, password: "an even finer password" };
    expect((await signIn({ ...now, cookie: old })).status).toBe(429);
    expect((await signIn({ ...now, cookie: renewed })).status).toBe(200);
    app.clock.advance(deviceSeconds);
    onTestFinished(() => app.clock.advance(-deviceSeconds));
    expect((await signIn({ ...now, from: "192.0.7.1", cookie: renewed })).status).toBe(429);
  });

  it("makes no device familiar by a session alone", async () => {
    const someone = await student(app);
    const change = (form: object) => someone.call("PUT", "/auth/v1/user", form);
    const renamed = await change({ data: { full_name: "Nok Newname" } });
    expect([renamed.status, renamed.headers.get("set-cookie")]).toEqual([200, null]);
    const asked = await change({ email: "another-address@example.com" });
    expect([asked.status, asked.headers.get("set-cookie")]).toEqual([200, null]);
    expect((await change({ password: "an even finer password" })).headers.get("set-cookie")).toContain("device=");
  });

  it("compares at most 30 passwords an hour from all familiar devices of an account", async () => {
    const { email } = await student(app);
    const cookies = [];
    for (let device = 0; device < 6; device++)
      cookies.push(cookieOf(await signIn({ email, password: goodPassword, from: home })));
    let compared = 0;
    for (const cookie of cookies) {
      for (let guess = 0; guess < 10; guess++) {
        const { status } = await signIn({ email, password: `guess ${guess}`, from: elsewhere, cookie });
        if (status === 400) compared += 1;
      }
    }
    expect(compared).toBe(30);
    expect((await signIn({ email, password: goodPassword, from: home })).status).toBe(200);
  });

  it("remembers the 20 networks used last, as hashes", async () => {
    const someone = await student(app);
    for (let network = 0; network < 22; network++) {
      app.clock.advance(1);
      await signIn({ email: someone.email, password: goodPassword, from: `203.0.${network}.1` });
    }
    const rows = await app.sql<{ last_used_at: Date }>(
      "select network_hash, last_used_at from familiar_networks where account_id = $1 order by last_used_at",
      [someone.id],
    );
    expect(rows).toHaveLength(20);
    expect(app.clock.now().getTime() - rows[0]!.last_used_at.getTime()).toBe(19_000);
    expect((await signIn({ email: someone.email, password: goodPassword, from: "203.0.21.9" })).status).toBe(200);
  });

  it("keeps the id of a known device, and logs whose account a refused try was on", async () => {
    const { email, id } = await student(app);
    const lines: string[] = [];
    const logStream = { write: (line: string) => void lines.push(line) };
    const site = await startApp({ environment: { ...behindProxy, LOG_LEVEL: "warn" }, beside: app, parts: { logStream } });
    try {
      const first = cookieOf(await signIn({ email, password: goodPassword, from: home, on: site }));
      site.clock.advance(1);
      const second = cookieOf(await signIn({ email, password: goodPassword, from: home, cookie: first, on: site }));
      expect([second === first, second.split(".")[0]]).toEqual([false, first.split(".")[0]]);
      for (let guess = 0; guess < 11; guess++) await signIn({ email, password: "a guess", from: elsewhere, on: site });
      const events = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === "limit_reached");
      expect(events).toEqual([expect.objectContaining({ account: id })]);
    } finally {
      await site.close();
    }
  });

  it("sends the device token in an HttpOnly cookie that only this host can set", async () => {
    const attributes = "; Path=/; Max-Age=15552000; HttpOnly; SameSite=Strict";
    const plain = await signIn({ from: home });
    expect(plain.headers.get("set-cookie")?.replace(/=[\w.-]+/, "=")).toBe(`device=${attributes}`);
    const site = await startApp({ environment: { ...behindProxy, PUBLIC_URL: "https://course.example.com" } });
    try {
      const secure = await signIn({ from: home, on: site });
      expect(secure.headers.get("set-cookie")?.replace(/=[\w.-]+/, "=")).toBe(`__Host-device=${attributes}; Secure`);
      const cookie = cookieOf(secure);
      for (const from of addresses(50, 1)) await signIn({ password: "a guess", from, on: site });
      expect((await signIn({ from: elsewhere, cookie: cookie.replace("__Host-", ""), on: site })).status).toBe(429);
      expect((await signIn({ from: elsewhere, cookie, on: site })).status).toBe(200);
    } finally {
      await site.close();
    }
  });
});

describe("recovery mails", () => {
  it("allows five recovery mails from one network without limiting others", async () => {
    for (let mail = 0; mail < 5; mail++) expect((await recover(elsewhere)).status).toBe(200);
    expect((await recover(elsewhere)).status).toBe(429);
    expect((await recover(home)).status).toBe(200);
  });

  it("allows strangers 20 recovery mails and the owner's network one more", async () => {
    await signIn({ from: home });
    const statuses = [];
    for (const from of addresses(24, 1)) statuses.push((await recover(from)).status);
    expect(statuses).toEqual([...Array<number>(20).fill(200), ...Array<number>(4).fill(429)]);
    expect((await recover(home)).status).toBe(200);
    expect(await mailsTo(app, adminEmail)).toHaveLength(21);
  });
});

it("allows one network three sign-ups for an address, and another one more", async () => {
  const signUp = (from: string, index: number) =>
    visitor(app).call(
      "POST",
      "/auth/v1/signup",
      { email: "wanted@example.com", password: `password of person ${index}`, data: { full_name: "Ann" } },
      { "x-forwarded-for": from },
    );
  const statuses = [];
  for (let index = 0; index < 4; index++) statuses.push((await signUp(elsewhere, index)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect((await signUp(elsewhere, 0)).status).toBe(200);
  expect((await signUp(home, 9)).status).toBe(200);
});

it("counts strangers the same whether or not the address has an account", async () => {
  for (const email of [adminEmail, "nobody@example.com"]) {
    const statuses = [];
    for (let network = 0; network < 45; network++) {
      statuses.push((await signIn({ email, password: "a guess", from: `198.51.${network}.1` })).status);
    }
    expect(statuses).toEqual([...Array<number>(41).fill(400), ...Array<number>(4).fill(429)]);
  }
});
