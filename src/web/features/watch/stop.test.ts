import { expect, test } from "vitest";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { errors, ProductError, type ErrorCode } from "#domain/errors/messages";
import { isLocked, lockedStop, stopOf } from "./stop.ts";

/** WATCH-6. */
test("a lesson outside of the package leads to the package that has it", () => {
  expect(lockedStop({ package_type: "advanced" }, [])).toEqual({
    title: "This lesson is part of Advanced",
    next: { label: "Get Advanced", to: "/payment?package=advanced" },
  });
  expect(lockedStop({ package_type: "starter" }, [])).toEqual({
    title: "This lesson is part of Starter",
    next: { label: "Get Starter", to: "/payment?package=starter" },
  });
  expect(lockedStop({ package_type: "starter" }, undefined)).toEqual({ title: "This lesson is part of Starter" });
  expect(lockedStop(undefined, []).next).toEqual({ label: "Get Advanced", to: "/payment?package=advanced" });
});

test("a lesson of a package that is paid for leads to that payment", () => {
  const pending = { status: "pending", package_type: "advanced", rest: null } as PaymentRequest;
  expect(lockedStop({ package_type: "starter" }, [pending])).toEqual({
    title: "This lesson is part of Starter",
    next: { label: "Waiting for approval", to: "/payment?package=advanced" },
  });
});

test.each<[ErrorCode, boolean]>([
  ["video_locked", true],
  ["not_allowed", true],
  ["film_unplayable", false],
])("whether %s means a locked lesson: %s", (code, locked) => {
  expect(isLocked(new ProductError(code))).toBe(locked);
});

test.each<ErrorCode>(["video_not_found", "not_found", "invalid_input"])("a lesson that is gone (%s) leads back", (code) => {
  expect(stopOf(new ProductError(code))).toEqual({
    title: "This lesson is gone",
    text: "This video no longer exists.",
    next: { label: "Back to your lessons", to: "/student" },
  });
});

test("a film that plays on another device can be watched here", () => {
  expect(stopOf(new ProductError("playing_elsewhere"))).toMatchObject({
    title: "Playing on another device",
    next: { label: "Watch here" },
  });
});

test("any other error displays its own text and can be tried again", () => {
  expect(stopOf(new ProductError("film_unplayable"))).toEqual({
    title: "The film has stopped",
    text: errors.film_unplayable.text,
    next: { label: "Try again" },
  });
});
