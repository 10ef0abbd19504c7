import { expect, test } from "vitest";
import { errors, ProductError } from "#domain/messages";
import { answeredError, messageOf } from "./errors.ts";

test("the server's own words win over the text of what was being done", () => {
  expect(messageOf(new ProductError("user_not_found"), "user_delete_failed")).toBe(errors.user_not_found.text);
  expect(messageOf(answeredError("a_newer_code", "Words of a newer server."), "user_delete_failed")).toBe(
    "Words of a newer server.",
  );
});

test("what says nothing is told as what was being done", () => {
  for (const thrown of [new ProductError("unexpected"), new ProductError("offline"), new TypeError("Failed to fetch"), "odd"]) {
    expect(messageOf(thrown, "users_fetch_failed")).toBe("Failed to fetch users");
  }
});
