// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { useLocation } from "react-router";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { show } from "../../../../tests/support/render.tsx";
import { AuthPage } from "./page.tsx";

vi.mock("../../platform/api.ts", () => ({ api: {} }));
vi.mock("../../entities/session/session.tsx", () => ({ useSession: () => ({ status: "signed-out" }) }));

function Address(): ReactNode {
  const { pathname, search } = useLocation();
  return <p data-testid="address">{pathname + search}</p>;
}

// JOURNEY-1
test("the address has the form that is displayed, and what was typed stays", async () => {
  // Not in the DOM of the tests.
  Object.defineProperty(navigator, "userActivation", { value: { hasBeenActive: false }, configurable: true });
  const { user } = show(
    <>
      <AuthPage />
      <Address />
    </>,
  );
  const address = (): string | null => screen.getByTestId("address").textContent;
  await user.type(screen.getByLabelText("Email"), "malee@example.com");
  await user.click(screen.getByRole("button", { name: "Sign up" }));
  expect(address()).toBe("/auth?mode=sign-up");
  expect(screen.getByLabelText("Full Name")).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Log in" }));
  expect(address()).toBe("/auth");
  expect(screen.queryByLabelText("Full Name")).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("malee@example.com");
});
