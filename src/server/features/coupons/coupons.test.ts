import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { student, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

it("lets the admin list, add, change and delete coupons", async () => {
  const made = await operator.call("POST", "/api/coupons", {
    code: "SPRING-25",
    discount_starter: "25",
    discount_advanced: "12.50",
  });
  expect(made.status).toBe(201);
  expect(made.body).toEqual({ code: "SPRING-25", discount_starter: "25", discount_advanced: "12.5", active: true });
  const again = { code: "SPRING-25", discount_starter: "1", discount_advanced: "1" };
  expect((await operator.call("POST", "/api/coupons", again)).body.code).toBe("coupon_exists");
  expect((await operator.call("PATCH", "/api/coupons/SPRING-25", { active: false })).body.active).toBe(false);
  const listed = await operator.call("GET", "/api/coupons");
  expect(listed.body.items.map((coupon: { code: string }) => coupon.code)).toContain("SPRING-25");
  expect((await operator.call("DELETE", "/api/coupons/SPRING-25")).status).toBe(200);
  expect((await operator.call("DELETE", "/api/coupons/SPRING-25")).status).toBe(404);
});

it.each([
  ["a percent above 100", { discount_starter: "101" }],
  ["a percent below 0", { discount_advanced: "-1" }],
  ["a percent with three decimals", { discount_starter: "1.234" }],
  ["a code that cannot be typed", { code: "a b" }],
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
