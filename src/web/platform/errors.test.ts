import { expect, test } from "vitest";
import { errors, ProductError } from "#domain/errors/messages";
import { errorOfReply, isTransient, messageOf } from "./errors.ts";

test("the server's own text wins over the fallback", () => {
  expect(messageOf(new ProductError("user_not_found"), "user_delete_failed")).toBe(errors.user_not_found.text);
  expect(messageOf(errorOfReply("invalid_input", "Please enter a title."), "user_delete_failed")).toBe("Please enter a title.");
});

test("a code of a newer server keeps its text", () => {
  const error = errorOfReply("a_newer_code", "Words of a newer server.");
  expect(error.code).toBe("unexpected");
  expect(messageOf(error, "user_delete_failed")).toBe("Words of a newer server.");
});

test("an error that explains nothing has the text of the fallback", () => {
  const replied = errorOfReply("unexpected", errors.unexpected.text);
  for (const thrown of [replied, new ProductError("offline"), new TypeError("Failed to fetch"), "odd"]) {
    expect(messageOf(thrown, "users_fetch_failed")).toBe("Failed to fetch users");
  }
});

test("an error of the network keeps its text where the fallback explains less", () => {
  for (const fallback of ["unexpected", "unavailable"] as const) {
    expect(messageOf(new ProductError("offline"), fallback)).toBe(errors.offline.text);
  }
});

test("the names of object properties are no codes", () => {
  expect(errorOfReply("constructor", "").code).toBe("unexpected");
});

test("only a server's failure may pass by itself", () => {
  expect(isTransient(new ProductError("unavailable"))).toBe(true);
  expect(isTransient(new ProductError("coupon_invalid"))).toBe(false);
  expect(isTransient(new ProductError("part_not_loaded"))).toBe(false);
});
