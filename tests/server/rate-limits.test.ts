// Over 250 lines: what each call is counted against, and how a limit counts.
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ProductError } from "#domain/errors/messages";
import { limitAttempt } from "#server/features/auth/limits/attempts";
import { limitKey, networkOf } from "#server/features/auth/limits/keys";
import { isAdmitted, noRateLimits, postgresRateLimits, type Limit } from "#server/platform/http/rate-limit";
import { adminEmail, startApp, type TestApp } from "../support/app.ts";
import { setUpWallets, tinyPng, uploadScreenshot, walletForm } from "../support/payments.ts";
import { admin, student, unverifiedStudent, visitor, type Person } from "../support/people.ts";
import { answerChallenge, turnOnSecondFactor } from "../support/second-factor.ts";
import { mp4Of, uploader } from "../support/uploads.ts";

/** What calls were counted against, in order, each as "name: points in seconds, then one every so often, of whom". */
let counted: { limit: Limit; key: string }[] = [];
/** What counting a call throws. */
let failure: Error | undefined;
let app: TestApp;
let operator: Person;
let buyer: Person;
beforeAll(async () => {
  const limits = {
    consume(limit: Limit, key: string) {
      counted.push({ limit, key });
      return failure ? Promise.reject(failure) : Promise.resolve();
    },
    isUsedUp: () => Promise.resolve(false),
  };
  app = await startApp({ parts: { limits } });
  [operator, buyer] = [await admin(app), await student(app)];
  counted = [];
});
afterAll(() => app?.close());
afterEach(() => {
  counted = [];
  failure = undefined;
});

/** Writes the counted calls, with a name for each key that is known. */
function counts(keys: Record<string, string>): string[] {
  return counted.map(({ limit: { name, points, seconds, thenEverySeconds }, key }) => {
    const after = thenEverySeconds === undefined ? "" : `, then one in ${thenEverySeconds} s`;
    return `${name}: ${points} in ${seconds} s${after}, of ${keys[key] ?? "somebody"}`;
  });
}

const network = networkOf("127.0.0.1");
const keysOf = ({ id, email }: { id: string; email: string }): Record<string, string> => ({
  [network]: "the network",
  [id]: "the account",
  [limitKey(email)]: "the address",
  [limitKey(email, network)]: "the address in the network",
});

describe("counted calls", () => {
  it("counts a sign-up for the network and its address, and as a sign-in", async () => {
    const { id, email } = await unverifiedStudent(app);
    expect(counts(keysOf({ id, email }))).toEqual([
      "sign-up-network: 60 in 3600 s, then one in 30 s, of the network",
      "sign-in-network: 150 in 900 s, then one in 10 s, of the network",
      "sign-in-here: 10 in 900 s, then one in 90 s, of the address in the network",
      "sign-in-address: 41 in 3600 s, then one in 60 s, of the address",
      "sign-up-here: 3 in 3600 s, then one in 600 s, of the address in the network",
    ]);
  });

  it("counts a sign-in for the network, its address and all strangers", async () => {
    const unknown = { id: "", email: `${randomUUID()}@example.com` };
    await visitor(app).call("POST", "/auth/v1/token?grant_type=password", { email: unknown.email, password: "guess" });
    expect(counts(keysOf(unknown))).toEqual([
      "sign-in-network: 150 in 900 s, then one in 10 s, of the network",
      "sign-in-here: 10 in 900 s, then one in 90 s, of the address in the network",
      "sign-in-address: 41 in 3600 s, then one in 60 s, of the address",
    ]);
  });

  it("counts no sign-in from a familiar network as a stranger's", async () => {
    await admin(app);
    expect(counted.map(({ limit }) => limit.name)).toEqual(["sign-in-network", "sign-in-here"]);
    expect(counted.map(({ key }) => key)).toEqual([network, limitKey(adminEmail, network)]);
  });

  it("counts a sign-in from a familiar device for it, and for all familiar devices", async () => {
    const { email, password } = buyer;
    const first = await visitor(app).call("POST", "/auth/v1/token?grant_type=password", { email, password });
    counted = [];
    const cookie = first.headers.get("set-cookie")!.split(";")[0]!;
    await visitor(app).call("POST", "/auth/v1/token?grant_type=password", { email, password }, { cookie });
    expect(counts(keysOf(buyer))).toEqual([
      "sign-in-here: 10 in 900 s, then one in 90 s, of somebody",
      "sign-in-devices: 30 in 3600 s, then one in 60 s, of the address",
    ]);
  });

  it("counts a recovery for the network, its address and all strangers", async () => {
    const unknown = { id: "", email: `${randomUUID()}@example.com` };
    await visitor(app).call("POST", "/auth/v1/recover", { email: unknown.email });
    expect(counts(keysOf(unknown))).toEqual([
      "recover-network: 30 in 3600 s, then one in 120 s, of the network",
      "recover-here: 5 in 3600 s, then one in 600 s, of the address in the network",
      "recover-address: 20 in 3600 s, then one in 300 s, of the address",
    ]);
  });

  it("counts a recovery from a familiar device for it, and for all familiar devices", async () => {
    const { email, password } = buyer;
    const signedIn = await visitor(app).call("POST", "/auth/v1/token?grant_type=password", { email, password });
    counted = [];
    const cookie = signedIn.headers.get("set-cookie")!.split(";")[0]!;
    await visitor(app).call("POST", "/auth/v1/recover", { email }, { cookie });
    expect(counts(keysOf(buyer))).toEqual([
      "recover-here: 5 in 3600 s, then one in 600 s, of somebody",
      "recover-devices: 20 in 3600 s, then one in 300 s, of the address",
    ]);
  });

  it("counts recovery links and refresh tokens for the network", async () => {
    await visitor(app).call("POST", "/auth/v1/verify", { type: "recovery", token_hash: "none" });
    await visitor(app).call("POST", "/auth/v1/token?grant_type=refresh_token", { refresh_token: "none" });
    expect(counts(keysOf(buyer))).toEqual([
      "redeem-network: 60 in 3600 s, then one in 60 s, of the network",
      "refresh-network: 3000 in 600 s, of the network",
    ]);
  });

  it("counts a mailed code for the address, by hour and by day", async () => {
    const someone = await unverifiedStudent(app);
    counted = [];
    await someone.call("POST", "/functions/v1/send-verification-email", {});
    expect(counts({})).toEqual([
      "verification-mail-hour: 10 in 3600 s, then one in 300 s, of somebody",
      "verification-mail-day: 30 in 86400 s, then one in 300 s, of somebody",
    ]);
    expect(new Set(counted.map(({ key }) => key)).size).toBe(1);
  });

  it("counts a repeated code for the network, and for the address from it", async () => {
    const unknown = { id: "", email: `${randomUUID()}@example.com` };
    await visitor(app).call("POST", "/auth/v1/resend", { type: "signup", email: unknown.email });
    expect(counts(keysOf(unknown))).toEqual([
      "resend-network: 30 in 3600 s, of the network",
      "resend-here: 5 in 3600 s, then one in 600 s, of the address in the network",
    ]);
  });

  it("counts mails and codes of a change of address", async () => {
    const next = { id: buyer.id, email: `${randomUUID()}@example.com` };
    await buyer.call("PUT", "/auth/v1/user", { email: next.email });
    await visitor(app).call("POST", "/auth/v1/verify", { type: "email_change", email: next.email, token: "000000" });
    expect(counts(keysOf(next))).toEqual([
      "profile-account: 30 in 600 s, of the account",
      "new-address-account: 10 in 3600 s, of the account",
      "new-address-mail: 10 in 3600 s, then one in 300 s, of the address",
      "new-address-network: 60 in 3600 s, of the network",
      "new-address-here: 3 in 600 s, of the address in the network",
    ]);
  });

  it("counts codes of a second factor for all strange networks, and for the owner's", async () => {
    const owner = await student(app);
    await turnOnSecondFactor(app, await student(app));
    counted = [];
    const { person, authenticator } = await turnOnSecondFactor(app, owner);
    await answerChallenge(person, authenticator.factorId, "000000");
    const keys = { [limitKey(owner.id)]: "the account", [limitKey(owner.id, network)]: "the account in the network" };
    expect(counts(keys)).toEqual([
      "second-factor-strange: 20 in 3600 s, of the account",
      "second-factor-own: 10 in 600 s, of the account in the network",
      "second-factor-own-day: 50 in 86400 s, then one in 600 s, of the account in the network",
    ]);
  });

  it("counts quotes and coupons for the account", async () => {
    await buyer.call("POST", "/api/quotes", { package_type: "starter", coupon_code: "LUNCH" });
    expect(counts(keysOf(buyer))).toEqual(["quote: 120 in 600 s, of the account", "coupon: 20 in 600 s, of the account"]);
  });

  it("counts a quote with figures of its own for the account and package", async () => {
    await setUpWallets(operator, { unique_amounts: true });
    counted = [];
    await buyer.call("POST", "/api/quotes", { package_type: "starter" });
    expect(counts({ ...keysOf(buyer), [`${buyer.id} starter`]: "the account and package" })).toEqual([
      "quote: 120 in 600 s, of the account",
      "own-figures: 5 in 3600 s, of the account and package",
    ]);
  });

  it("counts plays, joins, new links to the calendar and mail choices for the account", async () => {
    const upload_id = await uploader(app, operator).upload("course-videos", mp4Of(5000), "lesson.mp4");
    const film = { title: "T", description: "D", module: "M", order_index: 1, package_type: "both", upload_id };
    const lesson = await operator.call("POST", "/api/videos", film);
    const viewer = await student(app, "advanced");
    counted = [];
    await viewer.call("POST", `/api/videos/${lesson.body.id}/play`);
    await viewer.call("POST", `/api/live-sessions/occurrences/${randomUUID()}/join`);
    await viewer.call("POST", "/api/live-sessions/calendar-link");
    await viewer.call("PUT", "/api/mail-choices", { news: true });
    expect(counts(keysOf(viewer))).toEqual([
      "plays: 60 in 60 s, of the account",
      "live-session-join: 60 in 600 s, of the account",
      "calendar-link: 20 in 3600 s, of the account",
      "mail-choices: 60 in 600 s, of the account",
    ]);
  });

  it("counts reads of a calendar for the account, and refused ones for the network", async () => {
    const viewer = await student(app, "advanced");
    const { url } = (await viewer.call("GET", "/api/live-sessions/calendar-link")).body;
    counted = [];
    await visitor(app).call("GET", url);
    await visitor(app).call("GET", "/api/live-sessions.ics?token=none");
    expect(counts(keysOf(viewer))).toEqual([
      "calendar: 60 in 3600 s, of the account",
      "calendar-refused: 60 in 3600 s, of the network",
    ]);
  });

  it("counts test mails for the admin", async () => {
    await operator.call("POST", "/api/test-mail", { to: "admin" });
    expect(counts(keysOf(operator))).toEqual(["test-mail: 5 in 600 s, of the account"]);
  });

  it("counts saved progress for the account", async () => {
    await buyer.call("PUT", `/api/videos/${randomUUID()}/progress`, { position_seconds: 1, duration_seconds: 2 });
    expect(counts(keysOf(buyer))).toEqual(["video-progress: 400 in 600 s, of the account"]);
  });

  it("counts a submit for the account", async () => {
    const submission = { quote_id: randomUUID(), crypto_type: "bitcoin", upload_id: randomUUID(), consent: true };
    await buyer.call("POST", "/api/payment-requests", submission, { "idempotency-key": randomUUID() });
    expect(counts(keysOf(buyer))).toEqual(["submit: 20 in 600 s, of the account"]);
  });

  it("counts both kinds of uploads for the student, and none for the admin", async () => {
    await uploadScreenshot(buyer);
    await uploader(app, buyer).upload("payment-screenshots", tinyPng);
    await uploader(app, operator).upload("course-videos", mp4Of(5000));
    const upload = "uploads: 30 in 3600 s, of the account";
    expect(counts(keysOf(buyer))).toEqual([upload, upload, "upload-parts: 600 in 3600 s, of the account"]);
  });

  it("counts profile changes and password checks for the account", async () => {
    await operator.call("PUT", "/api/wallet-settings", { ...walletForm, current_password: "wrong" });
    await operator.call("PUT", "/auth/v1/user", { password: "another fine password", current_password: "wrong" });
    const uses = [
      "password-account: 10 in 600 s, of the account",
      "password-account-day: 50 in 86400 s, then one in 600 s, of the account",
      "audited-sign-in-failed: 1 in 600 s, of the network",
    ];
    expect(counts(keysOf(operator))).toEqual([
      ...uses,
      "wallet-settings: 30 in 3600 s, then one in 300 s, of the account",
      "profile-account: 30 in 600 s, of the account",
      ...uses,
    ]);
  });

  it("counts uses of undo links for the network", async () => {
    for (const path of ["/api/undo/preview", "/api/undo"]) await visitor(app).call("POST", path, { token: "none" });
    const use = "undo-network: 30 in 3600 s, then one in 120 s, of the network";
    expect(counts(keysOf(buyer))).toEqual([use, use]);
  });

  it("counts a check of the chain for the admin", async () => {
    await operator.call("POST", `/api/payment-requests/${randomUUID()}/check`);
    expect(counts(keysOf(operator))).toEqual(["chain-check: 30 in 60 s, of the account"]);
  });

  // GUARD-1
  it("counts a price request for the admin, and as a save where a price changes", async () => {
    await operator.call("GET", "/api/crypto-price/bitcoin");
    const setBounds = (highest_usd: string) =>
      operator.call("PUT", "/api/coin-prices/ethereum/bounds", { lowest_usd: "", highest_usd });
    const fetchPrices = () => operator.call("POST", "/api/coin-prices/fetch");
    // The first one holds the price of Ethereum, the second one takes it, the third one finds nothing new.
    await setBounds("1");
    await fetchPrices();
    await setBounds("");
    for (let time = 0; time < 2; time += 1) await fetchPrices();
    const priceRequest = "crypto-price: 30 in 60 s, of the account";
    const save = "wallet-settings: 30 in 3600 s, then one in 300 s, of the account";
    expect(counts(keysOf(operator))).toEqual([priceRequest, priceRequest, priceRequest, save, priceRequest]);
  });
});

describe("a limit", () => {
  const refusal = async (limit: Limit, key: string): Promise<number | undefined> => {
    const limits = postgresRateLimits(app.deps.db.$client);
    const error = await limits.consume(limit, key).catch((thrown: unknown) => thrown);
    if (error === undefined) return undefined;
    expect(error).toMatchObject({ code: "too_many_requests" });
    return (error as { retryAfter: number }).retryAfter;
  };

  it("admits as many calls as it has points, and names the seconds until the next", async () => {
    const limit = { name: "test", points: 3, seconds: 600 };
    for (let call = 0; call < 3; call += 1) expect(await refusal(limit, "one")).toBeUndefined();
    const seconds = await refusal(limit, "one");
    expect(seconds).toBeGreaterThan(500);
    expect(seconds).toBeLessThanOrEqual(600);
    expect(await refusal(limit, "another")).toBeUndefined();
    expect(await refusal({ ...limit, name: "other test" }, "one")).toBeUndefined();
  });

  it("admits as many calls as it has points before it slows down", async () => {
    const limit = { name: "slow test", points: 3, seconds: 6000, thenEverySeconds: 600 };
    for (let call = 0; call < 3; call += 1) expect(await refusal(limit, "one")).toBeUndefined();
    expect(await refusal(limit, "one")).toBeLessThanOrEqual(600);
  });

  it.each([
    ["a limit that shuts", { name: "shut test", points: 3, seconds: 600 }],
    ["a limit that slows down", { name: "slowed test", points: 3, seconds: 600, thenEverySeconds: 300 }],
  ])("is used up by the first call that is refused, for its key alone: %s", async (_what, limit) => {
    const limits = postgresRateLimits(app.deps.db.$client);
    expect(await limits.isUsedUp(limit, "one")).toBe(false);
    for (let call = 0; call < 3; call += 1) expect(await refusal(limit, "one")).toBeUndefined();
    expect(await limits.isUsedUp(limit, "one")).toBe(false);
    expect(await refusal(limit, "one")).toBeDefined();
    expect(await limits.isUsedUp(limit, "one")).toBe(true);
    expect(await limits.isUsedUp(limit, "another")).toBe(false);
  });

  it.each([
    ["a limit that shuts", { name: "ahead", points: 3, seconds: 600 }],
    ["a limit that slows down", { name: "ahead slowed", points: 3, seconds: 600, thenEverySeconds: 300 }],
  ])("forgets what was counted while the clock was ahead: %s", async (_what, limit) => {
    const limits = postgresRateLimits(app.deps.db.$client);
    const useUp = async (): Promise<void> => {
      for (let call = 0; call < 4; call += 1) await refusal(limit, "one");
    };
    const setAhead = (ms: number) =>
      app.sql("update rate_limits set expire = expire + $1 where key like $2", [ms, `${limit.name}%`]);
    await useUp();
    await setAhead(300_000);
    expect(await refusal(limit, "one")).toBeDefined();
    await setAhead(3_600_000);
    expect(await limits.isUsedUp(limit, "one")).toBe(false);
    expect(await refusal(limit, "one")).toBeUndefined();
    await useUp();
    expect(await refusal(limit, "one")).toBeLessThanOrEqual(600);
  });

  it("takes no other failure than its refusal for one", async () => {
    const limit = { name: "test", points: 1, seconds: 1 };
    const failing = (thrown: Error): Promise<boolean> => {
      const consume = () => Promise.reject(thrown);
      return isAdmitted({ ...noRateLimits, consume }, limit, "one");
    };
    expect(await isAdmitted(noRateLimits, limit, "one")).toBe(true);
    expect(await failing(new ProductError("too_many_requests"))).toBe(false);
    for (const error of [new ProductError("unavailable"), Object.assign(new Error(), { code: "too_many_requests" })])
      await expect(failing(error)).rejects.toBe(error);
    failure = new TypeError("The counters are gone.");
    const limits = { perNetwork: limit, perPlace: limit, perDevices: limit, perStrangers: limit };
    const found = { verified: undefined, unfinished: [], lastUse: undefined };
    const from = { ip: "127.0.0.1", userAgent: "", device: undefined };
    await expect(limitAttempt(app.deps, limits, { email: "a@example.com", found }, from)).rejects.toBe(failure);
  });

  it("is never used up where none are counted", async () => {
    expect(await noRateLimits.isUsedUp({ name: "test", points: 0, seconds: 1 }, "one")).toBe(false);
  });

  it("rethrows an error of the database unchanged", async () => {
    const limits = postgresRateLimits(app.deps.db.$client);
    await expect(limits.consume({ name: "test", points: 1, seconds: 1 }, "\0")).rejects.not.toMatchObject({
      code: "too_many_requests",
    });
  });
});
