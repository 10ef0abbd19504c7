import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestApp } from "../../../../tests/support/app.ts";
import { behindTransaction } from "../../../../tests/support/database/behind-transaction.ts";
import { decisions } from "../../../../tests/support/payment-requests/decisions.ts";
import { pay, uploadScreenshot } from "../../../../tests/support/payments.ts";
import { student, type Answer, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

const newCoupon = (code: string, terms: Record<string, unknown>): Promise<Answer> =>
  operator.call("POST", "/api/coupons", { code, discount_starter: "10", discount_advanced: "20", ...terms });

const quote = (buyer: Person, coupon_code: string, package_type = "starter"): Promise<Answer> =>
  buyer.call("POST", "/api/quotes", { package_type, coupon_code });

async function submit(buyer: Person, quoted: Answer): Promise<Answer> {
  const body = {
    quote_id: quoted.body.id,
    crypto_type: "bitcoin",
    upload_id: await uploadScreenshot(buyer),
    consent: true,
  };
  return buyer.call("POST", "/api/payment-requests", body, { "idempotency-key": quoted.body.id });
}

const reject = (request: Answer): Promise<Answer> =>
  operator.call("POST", `/api/payment-requests/${request.body.id}/reject`, { reason: "Nothing has arrived" });

async function listed(code: string): Promise<any> {
  return (await operator.call("GET", `/api/coupons?search=${code}`)).body.items[0];
}

/** Ends the open quotes of a student `seconds` ago. */
const endQuotes = (buyer: Person, seconds: number): Promise<unknown> =>
  app.sql("update quotes set created_at = $2::timestamptz - interval '1 hour', expires_at = $2 where user_id = $1", [
    buyer.id,
    new Date(app.clock.now().getTime() - seconds * 1000),
  ]);

// COUPON-5
it("applies a coupon from its start on and before its end, to the second", async () => {
  const at = (seconds: number) => new Date(app.clock.now().getTime() + seconds * 1000).toISOString();
  await newCoupon("MINUTE", { starts_at: at(1), ends_at: at(61) });
  const buyer = await student(app);
  const codes: unknown[] = [];
  for (const seconds of [0, 1, 59, 1]) {
    app.clock.advance(seconds);
    codes.push((await quote(buyer, "MINUTE")).body.code ?? "quoted", (await listed("MINUTE")).state);
  }
  expect(codes).toEqual(["coupon_invalid", "scheduled", "quoted", "active", "quoted", "active", "coupon_invalid", "ended"]);
});

// COUPON-6
it("applies a coupon only to its package, and says so for the other one", async () => {
  await newCoupon("ADVANCEDONLY", { packages: "advanced" });
  const buyer = await student(app);
  expect((await quote(buyer, "ADVANCEDONLY", "advanced")).body).toMatchObject({ amount_usd: "797.6", coupon_held: false });
  expect(await quote(buyer, "ADVANCEDONLY")).toMatchObject({ status: 400, body: { code: "coupon_other_package" } });
});

// COUPON-5, COUPON-6, COUPON-7
it.each([
  ["turned off", "active = false", 400, "coupon_invalid"],
  ["kept for the other package", "packages = 'advanced'", 400, "coupon_other_package"],
  ["limited", "max_uses = 1", 503, "unavailable"],
])("is not quoted with a coupon that is being %s", async (_how, change, status, code) => {
  const name = `CHANGED-${code.toUpperCase()}`;
  await newCoupon(name, {});
  const buyer = await student(app);
  const update = { text: `update coupon_codes set ${change} where code = $1`, values: [name] };
  expect(await behindTransaction(app, update, () => quote(buyer, name))).toMatchObject({ status, body: { code } });
});

// COUPON-7, GUARD-4
it("frees the use that a quote held when the admin ends open quotes", async () => {
  await newCoupon("VOIDED", { max_uses: 1 });
  expect((await quote(await student(app), "VOIDED")).status).toBe(201);
  const other = await student(app);
  expect((await quote(other, "VOIDED")).body.code).toBe("coupon_used_up");

  expect((await operator.call("POST", "/api/wallet-settings/void-quotes")).status).toBe(200);

  expect(await listed("VOIDED")).toMatchObject({ held_uses: 0 });
  expect((await quote(other, "VOIDED")).status).toBe(201);
  expect(await listed("VOIDED")).toMatchObject({ held_uses: 1 });
});

// COUPON-7
it("lets ten of fifty students at once have a coupon of ten uses, and submit", async () => {
  await newCoupon("TENTIMES", { max_uses: 10 });
  const buyers = await Promise.all(Array.from({ length: 50 }, () => student(app)));
  const quotes = await Promise.all(buyers.map(async (buyer) => ({ buyer, quoted: await quote(buyer, "TENTIMES") })));
  const winners = quotes.filter(({ quoted }) => quoted.status === 201);
  const losers = quotes.filter(({ quoted }) => quoted.body.code === "coupon_used_up");
  expect([winners.length, losers.length]).toEqual([10, 40]);
  expect(winners[0]!.quoted.body.coupon_held).toBe(true);
  expect(await listed("TENTIMES")).toMatchObject({ held_uses: 10, pending_uses: 0, state: "active" });

  const submits = winners.map(({ buyer, quoted }) => submit(buyer, quoted));
  const late = Promise.all(losers.slice(0, 10).map(({ buyer }) => quote(buyer, "TENTIMES")));
  const requests = await Promise.all(submits);
  expect(requests.map(({ status }) => status)).toEqual(Array(10).fill(201));
  expect((await late).map(({ body }) => body.code)).toEqual(Array(10).fill("coupon_used_up"));
  expect(await listed("TENTIMES")).toMatchObject({ held_uses: 0, pending_uses: 10, pending_usd: "4473", state: "used_up" });
  await operator.call("POST", `/api/payment-requests/${requests[0]!.body.id}/approve`);
  expect(await listed("TENTIMES")).toMatchObject({ pending_uses: 9, approved_uses: 1, state: "used_up" });
  const offered = await losers[0]!.buyer.call("POST", "/api/quotes", { package_type: "starter" });
  expect(offered).toMatchObject({ status: 201, body: { amount_usd: "497", coupon_code: null } });
});

it("holds a use of a coupon until a minute after the quote's end", async () => {
  await newCoupon("LASTONE", { max_uses: 1 });
  const [first, second] = await Promise.all([student(app), student(app)]);
  await quote(first, "LASTONE");
  await endQuotes(first, 59);
  expect((await quote(second, "LASTONE")).body.code).toBe("coupon_used_up");
  await endQuotes(first, 61);
  expect((await quote(second, "LASTONE")).status).toBe(201);
  expect((await quote(first, "LASTONE")).body.code).toBe("coupon_used_up");
});

it("holds no use by a quote of a clock that was ahead", async () => {
  await newCoupon("AHEAD", { max_uses: 1 });
  const [first, second] = await Promise.all([student(app), student(app)]);
  app.clock.set(301);
  await quote(first, "AHEAD");
  app.clock.set(-1);
  expect((await quote(second, "AHEAD")).body.code).toBe("coupon_used_up");
  app.clock.set(-300);
  expect(await listed("AHEAD")).toMatchObject({ held_uses: 0 });
  expect((await quote(second, "AHEAD")).status).toBe(201);
});

it("counts the quotes of one student for one package once", async () => {
  await newCoupon("TWICE", { max_uses: 2 });
  const [buyer, other] = await Promise.all([student(app), student(app)]);
  const same = await Promise.all(Array.from({ length: 5 }, () => quote(buyer, "TWICE")));
  expect(same.map(({ status }) => status)).toEqual(Array(5).fill(201));
  expect((await quote(buyer, "TWICE", "advanced")).status).toBe(201);
  expect((await quote(other, "TWICE")).body.code).toBe("coupon_used_up");
  expect((await submit(buyer, same[0]!)).status).toBe(201);
  expect(await listed("TWICE")).toMatchObject({ held_uses: 1, pending_uses: 1 });
});

it("holds no second use beside a pending request for the same package", async () => {
  await newCoupon("PENDING", { max_uses: 2 });
  const buyer = await student(app);
  const tabs = [await quote(buyer, "PENDING"), await quote(buyer, "PENDING")];
  expect((await submit(buyer, tabs[0]!)).status).toBe(201);
  expect(await listed("PENDING")).toMatchObject({ held_uses: 0, pending_uses: 1 });
});

it("holds no use for a package that the student has by now", async () => {
  await newCoupon("TWOTABS", { max_uses: 3 });
  const { approve, setTier } = decisions(app, operator);
  const [buyer, other, third] = await Promise.all([student(app), student(app), student(app)]);
  const tabs = [await quote(buyer, "TWOTABS"), await quote(buyer, "TWOTABS")];
  const upgrade = await quote(buyer, "TWOTABS", "advanced");
  await approve((await submit(buyer, tabs[0]!)).body.id);
  expect((await submit(buyer, tabs[1]!)).body.code).toBe("package_owned");
  // The quote for Advanced may still be submitted.
  expect(await listed("TWOTABS")).toMatchObject({ held_uses: 1, approved_uses: 1 });
  expect((await quote(other, "TWOTABS")).status).toBe(201);
  expect((await quote(third, "TWOTABS")).body.code).toBe("coupon_used_up");
  expect((await submit(buyer, upgrade)).status).toBe(201);
  await setTier(other, "advanced");
  expect(await listed("TWOTABS")).toMatchObject({ held_uses: 0, pending_uses: 1, approved_uses: 1 });
});

it("frees the use of a rejected request until it is submitted again", async () => {
  await newCoupon("ONLYONE", { max_uses: 1 });
  const [buyer, other] = await Promise.all([student(app), student(app)]);
  const request = await submit(buyer, await quote(buyer, "ONLYONE"));
  expect((await quote(other, "ONLYONE")).body.code).toBe("coupon_used_up");
  await reject(request);
  expect(await listed("ONLYONE")).toMatchObject({ held_uses: 0, pending_uses: 0, pending_usd: "0" });
  const second = await submit(other, await quote(other, "ONLYONE"));
  expect(second.status).toBe(201);
  const path = `/api/payment-requests/${request.body.id}/resubmit`;
  expect((await buyer.call("POST", path, {}, { "idempotency-key": "again" })).status).toBe(201);
  expect(await listed("ONLYONE")).toMatchObject({ pending_uses: 2, max_uses: 1, state: "used_up" });
});

it("holds a use beside a rejected request and one without the coupon", async () => {
  await Promise.all([newCoupon("OTHERTAB", { max_uses: 1 }), newCoupon("SECONDTRY", { max_uses: 1 })]);
  const [buyer, other] = await Promise.all([student(app), student(app)]);
  await quote(buyer, "OTHERTAB");
  expect((await pay(buyer)).status).toBe(201);
  expect((await quote(other, "OTHERTAB")).body.code).toBe("coupon_used_up");

  const third = await student(app);
  await reject(await submit(third, await quote(third, "SECONDTRY")));
  await quote(third, "SECONDTRY");
  expect((await quote(other, "SECONDTRY")).body.code).toBe("coupon_used_up");
});

it("keeps the promise of quotes from before a limit was set", async () => {
  await newCoupon("LATER", {});
  const buyers = await Promise.all([student(app), student(app)]);
  const quotes = await Promise.all(buyers.map((buyer) => quote(buyer, "LATER")));
  expect((await operator.call("PATCH", "/api/coupons/LATER", { max_uses: 1 })).body).toMatchObject({ held_uses: 2 });
  expect((await quote(await student(app), "LATER")).body.code).toBe("coupon_used_up");
  const submits = await Promise.all(buyers.map((buyer, index) => submit(buyer, quotes[index]!)));
  expect(submits.map(({ status }) => status)).toEqual([201, 201]);
});

// COUPON-8
it("adds up the requests of a coupon, whatever becomes of them at the same time", async () => {
  await newCoupon("SUMS", {});
  const buyers = await Promise.all(Array.from({ length: 12 }, () => student(app)));
  const requests = await Promise.all(buyers.map((buyer) => pay(buyer, { coupon_code: "SUMS" })));
  expect(await listed("SUMS")).toMatchObject({ pending_uses: 12, pending_usd: "5367.6", approved_uses: 0 });
  const approve = ({ body }: Answer) => operator.call("POST", `/api/payment-requests/${body.id}/approve`, {});
  const decided = await Promise.all(requests.map((request, index) => (index % 3 === 0 ? reject(request) : approve(request))));
  expect(decided.map(({ status }) => status)).toEqual(Array(12).fill(200));
  expect(await listed("SUMS")).toMatchObject({ pending_uses: 0, pending_usd: "0", approved_uses: 8, approved_usd: "3578.4" });
  await app.sql("delete from payment_requests where coupon_code = 'SUMS' and status = 'approved'");
  expect(await listed("SUMS")).toMatchObject({ approved_uses: 0, approved_usd: "0" });
});
