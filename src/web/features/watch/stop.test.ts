import { expect, test } from "vitest";
import { errors, ProductError, type ErrorCode } from "#domain/errors/messages";
import { stopOf } from "./stop.ts";

const stop = (code: ErrorCode, package_type: "both" | "starter" | "advanced" = "advanced") =>
  stopOf(new ProductError(code), { package_type });

/** WATCH-6. */
test("a lesson outside of the package leads to the package that has it", () => {
  expect(stop("video_locked")).toEqual({
    title: "This lesson is part of Advanced",
    next: { label: "Get Advanced", to: "/payment?package=advanced" },
  });
  expect(stop("video_locked", "starter")).toEqual({
    title: "This lesson is part of Starter",
    next: { label: "Get Starter", to: "/payment?package=starter" },
  });
});

test.each<ErrorCode>(["video_not_found", "not_found", "invalid_input"])("a lesson that is gone (%s) leads back", (code) => {
  expect(stopOf(new ProductError(code), undefined)).toEqual({
    title: "This lesson is gone",
    text: "This video no longer exists.",
    next: { label: "Back to your lessons", to: "/student" },
  });
});

test("a film that plays on another device can be watched here", () => {
  expect(stop("playing_elsewhere")).toMatchObject({ title: "Playing on another device", next: { label: "Watch here" } });
});

test("any other error displays its own text and can be tried again", () => {
  expect(stop("film_unplayable")).toEqual({
    title: "The film has stopped",
    text: errors.film_unplayable.text,
    next: { label: "Try again" },
  });
});
