import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../tests/support/app.ts";
import { pay } from "../../../../tests/support/payments.ts";
import { student, type Answer, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

const offerTo = (buyer: Person): Promise<Answer> => buyer.call("GET", "/api/launch-offer");
const changeCoupon = (changes: Record<string, unknown>): Promise<Answer> =>
  operator.call("PATCH", "/api/coupons/LUNCH", changes);
const none = { status: 204, body: "" };

/** COUPON-4. */
describe("the launch offer", () => {
  it("offers the percents of the live coupon", async () => {
    const buyer = await student(app);
    const shipped = { code: "LUNCH", discount_starter: "50", discount_advanced: "70" };
    expect(await offerTo(buyer)).toMatchObject({ status: 200, body: shipped });
    await changeCoupon({ discount_advanced: "62.50" });
    expect((await offerTo(buyer)).body).toEqual({ ...shipped, discount_advanced: "62.5" });
    await changeCoupon({ discount_advanced: "70" });
  });

  it("offers nothing for a package that is owned or requested", async () => {
    const starter = await student(app, "starter");
    expect((await offerTo(starter)).body).toEqual({ code: "LUNCH", discount_starter: null, discount_advanced: "70" });
    expect(await offerTo(await student(app, "advanced"))).toMatchObject(none);
    const waiting = await student(app);
    await pay(waiting, { package_type: "advanced" });
    expect((await offerTo(waiting)).body).toEqual({ code: "LUNCH", discount_starter: "50", discount_advanced: null });
    await pay(waiting);
    expect(await offerTo(waiting)).toMatchObject(none);
  });

  it("makes no launch offer outside its period or package, or once used up", async () => {
    const buyer = await student(app);
    const passed = new Date(app.clock.now().getTime() - 1000).toISOString();
    await changeCoupon({ ends_at: passed });
    expect(await offerTo(buyer)).toMatchObject(none);
    await changeCoupon({ ends_at: null, packages: "starter" });
    expect((await offerTo(buyer)).body).toEqual({ code: "LUNCH", discount_starter: "50", discount_advanced: null });
    await changeCoupon({ packages: "both", max_uses: 1 });
    const first = await student(app);
    await first.call("POST", "/api/quotes", { package_type: "starter", coupon_code: "LUNCH" });
    expect(await offerTo(buyer)).toMatchObject(none);
    expect((await offerTo(first)).body).toMatchObject({ discount_starter: "50", discount_advanced: null });
    await changeCoupon({ max_uses: null });
  });

  it("makes no launch offer while the coupon is off or once it is deleted", async () => {
    const buyer = await student(app);
    await changeCoupon({ active: false });
    expect(await offerTo(buyer)).toMatchObject(none);
    await changeCoupon({ active: true });
    expect((await offerTo(buyer)).status).toBe(200);
    await operator.call("DELETE", "/api/coupons/LUNCH");
    expect(await offerTo(buyer)).toMatchObject(none);
  });
});
