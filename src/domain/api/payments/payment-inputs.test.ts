import { expect, it } from "vitest";
import * as z from "zod/mini";
import { faults } from "../../../../tests/support/domain/input-errors.ts";
import { maxRejectionReasons } from "../../payments/payment-request.ts";
import { exportFilters } from "../exports.ts";
import { GrantPackage, NoteText } from "../users.ts";
import { NewCoupon } from "./coupons.ts";
import { PayRest, Reopening, SubmitPaymentRequest } from "./payment-inputs.ts";
import { RejectionReasons } from "./rejection-reasons.ts";

const upper = "0B7D6C1E-8F0A-4F7E-9D52-0D6D3A1C2B3F";
const lower = upper.toLowerCase();
const coupon = { code: "LUNCH", discount_starter: "10", discount_advanced: "20" };
const limits = { starts_at: null, ends_at: null, max_uses: null };

// PAY-3
it("reads ids in lower case, and asks for a screenshot and consent", () => {
  const submit = { quote_id: upper, upload_id: upper, consent: true };
  expect(z.parse(SubmitPaymentRequest, submit)).toEqual({ quote_id: lower, upload_id: lower, consent: true });
  expect(faults(SubmitPaymentRequest, { ...submit, upload_id: "x", consent: false })).toEqual([
    "upload_id: screenshot_missing",
    "consent: consent_missing",
  ]);
  expect(z.parse(PayRest, { upload_id: upper })).toEqual({ upload_id: lower });
  expect(faults(PayRest, { upload_id: "" })).toEqual(["upload_id: screenshot_missing"]);
});

it("asks why a decision is reopened or a package free, and what a note says", () => {
  expect(faults(Reopening, { reason: " " })).toEqual(["reason: reopen_reason_missing"]);
  expect(faults(GrantPackage, { package_type: "starter", reason: " " })).toEqual(["reason: grant_reason_missing"]);
  expect(faults(NoteText, { text: " " })).toEqual(["text: text_missing"]);
});

// DECIDE-8
it("saves some reasons for rejections, none of them empty", () => {
  expect(faults(RejectionReasons, { reasons: ["No payment.", " "] })).toEqual(["reasons.1: reason_missing"]);
  expect(faults(RejectionReasons, { reasons: Array<string>(maxRejectionReasons + 1).fill("No.") })).toEqual([
    "reasons: too_many_reasons",
  ]);
});

// COUPON-5, COUPON-7
it("takes a coupon of some uses, from one time to a later one of this millennium", () => {
  const whole = { starts_at: "2000-01-01T00:00:00Z", ends_at: "2999-12-31T23:59:59Z", max_uses: 1_000_000 };
  for (const given of [whole, limits, { ...limits, max_uses: 1 }, { ...limits, ends_at: whole.ends_at }])
    expect(z.parse(NewCoupon, { ...coupon, ...given })).toMatchObject(given);
  for (const max_uses of [0, 1.5, 1_000_001])
    expect(faults(NewCoupon, { ...coupon, ...limits, max_uses })).toEqual(["max_uses: max_uses_invalid"]);
  for (const starts_at of ["1992-12-31T00:00:00Z", "3000-01-01T00:00:00Z", "20266-12-31T00:00:00Z"])
    expect(faults(NewCoupon, { ...coupon, ...limits, starts_at })).toEqual(["starts_at: date_invalid"]);
  const crossed = { ...limits, starts_at: whole.ends_at, ends_at: whole.starts_at };
  expect(faults(NewCoupon, { ...coupon, ...crossed })).toEqual(["ends_at: coupon_period_invalid"]);
});

// EXPORT-1
it("exports payments and users by the filters of their lists", () => {
  const payments = { status: "pending", method: "bitcoin", sort: "oldest" };
  expect(z.parse(exportFilters.payments, payments)).toEqual(payments);
  const users = { search: "ann", tier: "starter", sort: "last-sign-in" };
  expect(z.parse(exportFilters.users, users)).toEqual(users);
  expect(z.parse(exportFilters.months, { status: "pending" })).toEqual({});
});
