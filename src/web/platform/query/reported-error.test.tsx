// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { act, type ReactNode } from "react";
import { expect, test } from "vitest";
import { ProductError } from "#domain/errors/messages";
import { show } from "../../../../tests/support/render.tsx";
import { endError, reportError, useReportedError } from "./reported-error.ts";

function BannerText(): ReactNode {
  return <p role="alert">{useReportedError()}</p>;
}

// KEYS-4
test("removes the error of a query when that query succeeds, not when another does", () => {
  show(<BannerText />);
  const text = (): string | null => screen.getByRole("alert").textContent;
  act(() => reportError(new ProductError("unexpected"), "users_fetch_failed", "users"));
  expect(text()).toBe("Failed to fetch users");
  act(() => endError("coupons"));
  act(() => endError());
  expect(text()).toBe("Failed to fetch users");
  act(() => endError("users"));
  expect(text()).toBe("");
});

test("removes the error of an action when the next action succeeds", () => {
  show(<BannerText />);
  act(() => reportError(new ProductError("unexpected"), "user_delete_failed"));
  expect(screen.getByRole("alert").textContent).toBe("Failed to delete user");
  act(() => endError());
  expect(screen.getByRole("alert").textContent).toBe("");
});
