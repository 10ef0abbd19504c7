import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { student, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

const unlimited = {
  packages: "both",
  starts_at: null,
  ends_at: null,
  max_uses: null,
  state: "active",
  pending_uses: 0,
  pending_usd: "0",
  approved_uses: 0,
  approved_usd: "0",
  held_uses: 0,
};

it("lets the admin list, add, change and delete coupons", async () => {
  const made = await operator.call("POST", "/api/coupons", {
    code: "SPRING-25",
    discount_starter: "25",
    discount_advanced: "12.50",
  });
  expect(made.status).toBe(201);
  expect(made.body).toEqual({
    code: "SPRING-25",
    discount_starter: "25",
    discount_advanced: "12.5",
    active: true,
    ...unlimited,
  });
  const again = { code: "SPRING-25", discount_starter: "1", discount_advanced: "1" };
  expect((await operator.call("POST", "/api/coupons", again)).body.code).toBe("coupon_exists");
  expect((await operator.call("PATCH", "/api/coupons/SPRING-25", { active: false })).body.active).toBe(false);
  const listed = await operator.call("GET", "/api/coupons");
  expect(listed.body.items.map((coupon: { code: string }) => coupon.code)).toContain("SPRING-25");
  await operator.call("POST", "/api/coupons", { ...again, code: "SPRING-26" });
  expect((await operator.call("DELETE", "/api/coupons/SPRING-25")).status).toBe(200);
  expect(await app.sql("select code from coupon_codes where code like 'SPRING-%'")).toEqual([{ code: "SPRING-26" }]);
  expect((await operator.call("DELETE", "/api/coupons/SPRING-25")).status).toBe(404);
});

it.each([
  ["a percent above 100", { discount_starter: "101" }],
  ["a percent below 0", { discount_advanced: "-1" }],
  ["a percent with three decimals", { discount_starter: "1.234" }],
  ["a code that cannot be typed", { code: "a b" }],
  ["an end that is its start", { starts_at: "2026-12-01T00:00:00Z", ends_at: "2026-12-01T00:00:00Z" }],
  ["a time that the database does not store", { starts_at: "0000-01-01T00:00:00Z" }],
  ["a limit of no use", { max_uses: 0 }],
  ["a limit of half a use", { max_uses: 1.5 }],
  ["a limit above a million", { max_uses: 1_000_001 }],
  ["an unknown package", { packages: "platinum" }],
])("refuses a coupon with %s and stores nothing", async (_what, wrong) => {
  const before = await app.sql("select * from coupon_codes order by code");

  const answer = await operator.call("POST", "/api/coupons", {
    code: "OK",
    discount_starter: "10",
    discount_advanced: "10",
    ...wrong,
  });

  expect(answer.status).toBe(400);
  expect(await app.sql("select * from coupon_codes order by code")).toEqual(before);
});

// COUPON-5
it("changes one end of a coupon's period and refuses one that crosses the other", async () => {
  const change = (changes: unknown) => operator.call("PATCH", "/api/coupons/AUTUMN", changes);
  const code = { code: "AUTUMN", discount_starter: "10", discount_advanced: "10" };
  await operator.call("POST", "/api/coupons", { ...code, starts_at: "2026-10-01T00:00:00Z", max_uses: 5 });
  expect((await change({ ends_at: "2026-09-30T23:59:59Z" })).body.code).toBe("invalid_input");
  const ended = await change({ ends_at: "2026-10-01T00:00:01Z", packages: "starter" });
  const period = { starts_at: "2026-10-01T00:00:00.000Z", ends_at: "2026-10-01T00:00:01.000Z" };
  expect(ended).toMatchObject({ status: 200, body: { ...period, packages: "starter", max_uses: 5, state: "ended" } });
  expect((await change({ starts_at: null, ends_at: null, max_uses: null })).body).toMatchObject({
    starts_at: null,
    max_uses: null,
  });
  const [entry] = await app.sql("select details from audit_log where subject_id = 'AUTUMN' order by id desc limit 1");
  expect(entry!["details"]).toEqual({
    before: { ...period, max_uses: 5 },
    after: { starts_at: null, ends_at: null, max_uses: null },
  });
});

it("filters coupons by state and part of the code, a page at a time", async () => {
  const create = (code: string, terms: Record<string, unknown>) =>
    operator.call("POST", "/api/coupons", { code, discount_starter: "10", discount_advanced: "10", ...terms });
  await create("FIND_4", { starts_at: "2999-01-01T00:00:00Z" });
  await create("FIND_3", { ends_at: "2020-01-01T00:00:00Z" });
  await create("FIND_2", { active: false, ends_at: "2020-01-01T00:00:00Z" });
  await create("FIND_1", {});
  const find = async (query: string) => (await operator.call("GET", `/api/coupons?${query}`)).body;
  const codes = async (query: string) => (await find(query)).items.map(({ code }: { code: string }) => code);
  expect(await codes("search=find")).toEqual(["FIND_1", "FIND_2", "FIND_3", "FIND_4"]);
  expect(await codes("search=D_4")).toEqual(["FIND_4"]);
  for (const [state, code] of [
    ["active", "FIND_1"],
    ["off", "FIND_2"],
    ["ended", "FIND_3"],
    ["scheduled", "FIND_4"],
  ]) {
    expect(await codes(`search=find&state=${state}`)).toEqual([code]);
  }
  const first = await find("search=find&limit=3");
  expect(await codes(`search=find&cursor=${first.next_cursor}`)).toEqual(["FIND_4"]);
  expect((await operator.call("GET", "/api/coupons?state=lost")).status).toBe(400);
});

it("refuses the twenty-first coupon within ten minutes of one account", async () => {
  const limited = await startApp({ environment: { RATE_LIMITS: "on" } });
  try {
    const buyer = await student(limited);
    const tries = await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        buyer.call("POST", "/api/quotes", { package_type: "starter", coupon_code: `GUESS${index}` }),
      ),
    );
    const refused = tries.filter((answer) => answer.status === 429);
    expect(refused.length).toBe(5);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
  } finally {
    await limited.close();
  }
});
