import { expect, it } from "vitest";
import { approvalSample, canDecide, consentVersion } from "./payment-request.ts";
import { receiptNumber } from "./receipt.ts";

it("only a pending payment request can be decided", () => {
  expect([canDecide("pending"), canDecide("approved"), canDecide("rejected")]).toEqual([true, false, false]);
});

it("the approval time is the median of the newest 100 of 90 days, from 5 on", () => {
  expect(approvalSample).toEqual({ newest: 100, days: 90, atLeast: 5 });
});

it("the version of the consent's texts is the month they were written in", () => {
  expect(consentVersion).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
});

it.each([
  [1, "2026-00001"],
  [42, "2026-00042"],
  [99_999, "2026-99999"],
  [100_000, "2026-100000"],
])("receipt %i of 2026 has the number %s", (place, number) => expect(receiptNumber(2026, place)).toBe(number));
