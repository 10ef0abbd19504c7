import { describe, expect, it } from "vitest";
import type { ProductError } from "#domain/errors/messages";
import { requireAdmin, requireStudent, requireVerified, seenAs, type Principal } from "./access.ts";

const principal: Principal = {
  id: "malee",
  sessionId: "session",
  email: "malee@example.com",
  full_name: "Malee",
  role: "student",
  subscription_status: "unpaid",
  email_verified: true,
  hasSecondFactor: false,
  passedSecondFactor: false,
  provenAt: new Date(0),
  steppedUpAt: null,
  startedAt: new Date(0),
  byRecovery: false,
};
const admin: Principal = { ...principal, id: "boss", role: "admin" };

function refusal(action: () => unknown): [string, string | undefined] | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    const { code, accountId } = error as ProductError;
    return [code, accountId];
  }
}

// ACCESS-2, ACCESS-4, ACCESS-5
describe("a refusal", () => {
  it("names the account that was refused, for the log", () => {
    const unverified = { ...principal, email_verified: false };
    expect(refusal(() => requireVerified(unverified))).toEqual(["email_not_verified", "malee"]);
    expect(refusal(() => requireAdmin(unverified))).toEqual(["email_not_verified", "malee"]);
    expect(refusal(() => requireAdmin(principal))).toEqual(["not_allowed", "malee"]);
    expect(refusal(() => requireStudent({ ...admin, email_verified: false }))).toEqual(["email_not_verified", "boss"]);
    expect(refusal(() => requireStudent(admin))).toEqual(["not_allowed", "boss"]);
  });

  it("is not of those who may", () => {
    for (const allowed of [() => requireVerified(principal), () => requireAdmin(admin), () => requireStudent(principal)]) {
      expect(refusal(allowed)).toBeUndefined();
    }
  });
});

// VIDEOS-5
it("shows the admin what a student of a tier sees, and nobody else", () => {
  expect(seenAs(admin, "starter")).toEqual({ ...admin, role: "student", subscription_status: "starter" });
  expect(seenAs(admin, undefined)).toBe(admin);
  expect(seenAs(principal, undefined)).toBe(principal);
  expect(refusal(() => seenAs(principal, "starter"))).toEqual(["not_allowed", "malee"]);
});
