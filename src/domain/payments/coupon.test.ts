import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  discountPercent,
  isCouponPeriod,
  isDiscountPercent,
  isForPackage,
  isRunning,
  isSteep,
  launchCoupon,
  launchOffer,
  normaliseCouponInput,
} from "./coupon.ts";

describe("a coupon's percent", () => {
  it.each(["0", "50", "70", "99.99", "100", "100.00", "12.5"])("can be %s", (text) => {
    expect(isDiscountPercent(text)).toBe(true);
  });

  it.each(["", "-1", "100.01", "101", "1000", "12.345", "1e1", "50%", "half", ".5", "5.", " 5", "５０"])(
    "cannot be %j",
    (text) => expect(isDiscountPercent(text)).toBe(false),
  );

  it("is any number from 0 to 100 with two decimals, and none above", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999 }), (hundredths) => {
        const text = `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, "0")}`;
        expect(isDiscountPercent(text)).toBe(hundredths <= 10_000);
      }),
    );
  });

  it("is taken per package, without trailing zeros", () => {
    const coupon = { code: "TWO", discount_starter: "12.50", discount_advanced: "30.00", active: true };
    expect(discountPercent(coupon, "starter")).toBe("12.5");
    expect(discountPercent(coupon, "advanced")).toBe("30");
  });
});

// COUPON-5
describe("a coupon's period", () => {
  const at = (second: number): Date => new Date(second * 1000);

  it("has its first moment and not its last, and no bounds where none are set", () => {
    const coupon = { active: true, starts_at: at(10), ends_at: at(20) };
    const running = [9.999, 10, 19.999, 20].map((second) => isRunning(coupon, at(second)));
    expect(running).toEqual([false, true, true, false]);
    expect(isRunning({ ...coupon, starts_at: null }, at(0))).toBe(true);
    expect(isRunning({ ...coupon, ends_at: null }, at(99))).toBe(true);
    expect(isRunning({ ...coupon, active: false }, at(15))).toBe(false);
  });

  it.each([
    [null, null, true],
    ["2026-01-01T00:00:00Z", null, true],
    [null, "2026-01-01T00:00:00Z", true],
    ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.001Z", true],
    ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z", false],
    ["2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z", false],
  ])("from %s to %s is one: %s", (start, end, isIt) => expect(isCouponPeriod(start, end)).toBe(isIt));
});

// COUPON-6
it("a coupon is for both packages or for its own", () => {
  const forEach = (packages: "both" | "starter" | "advanced") =>
    (["starter", "advanced"] as const).map((packageType) => isForPackage({ packages }, packageType));
  expect([forEach("both"), forEach("starter"), forEach("advanced")]).toEqual([
    [true, true],
    [true, false],
    [false, true],
  ]);
});

// STEPUP-2
it.each([
  ["89.99", "89.99", false],
  ["90", "0", true],
  ["0", "90", true],
])("a coupon of %s and %s percent is steep: %s", (discount_starter, discount_advanced, isIt) => {
  expect(isSteep({ discount_starter, discount_advanced })).toBe(isIt);
});

it("LUNCH takes 50 percent off Starter and 70 off Advanced", () => {
  expect(launchCoupon).toEqual({ code: "LUNCH", discount_starter: "50", discount_advanced: "70", active: true });
});

it("what the student types is looked up in upper case without outer blanks", () => {
  expect(normaliseCouponInput("  lunch ")).toBe("LUNCH");
  expect(normaliseCouponInput("   ")).toBe("");
});

/** COUPON-4. */
describe("the launch offer", () => {
  const both = ["starter", "advanced"] as const;

  it("offers the coupon's percents on packages that can be bought", () => {
    expect(launchOffer(launchCoupon, both)).toEqual({ code: "LUNCH", discount_starter: "50", discount_advanced: "70" });
    expect(launchOffer(launchCoupon, ["advanced"])).toEqual({
      code: "LUNCH",
      discount_starter: null,
      discount_advanced: "70",
    });
    expect(launchOffer(launchCoupon, ["starter"])).toEqual({
      code: "LUNCH",
      discount_starter: "50",
      discount_advanced: null,
    });
  });

  it("leaves a package without a reduction out of the launch offer", () => {
    const coupon = { ...launchCoupon, discount_starter: "0.00" };
    expect(launchOffer(coupon, both)).toMatchObject({ discount_starter: null, discount_advanced: "70" });
    expect(launchOffer(coupon, ["starter"])).toBeUndefined();
  });

  it("makes no launch offer when the coupon is off or nothing can be bought", () => {
    expect(launchOffer({ ...launchCoupon, active: false }, both)).toBeUndefined();
    expect(launchOffer(launchCoupon, [])).toBeUndefined();
  });
});
