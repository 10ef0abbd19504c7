// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { Link, useLocation, useNavigate } from "react-router";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import { errors, ProductError } from "#domain/errors/messages";
import { show } from "../../../../tests/support/render.tsx";
import { signUp } from "../../entities/session/account-calls.ts";
import { AuthPage } from "./page.tsx";

vi.mock("../../platform/api.ts", () => ({ api: {} }));
vi.mock("../../entities/session/account-calls.ts", async (original) => ({
  ...(await original<typeof import("../../entities/session/account-calls.ts")>()),
  signUp: vi.fn<() => unknown>(),
}));
const session = vi.hoisted(() => ({ status: "signed-out" }));
vi.mock("../../entities/session/session.tsx", () => ({ useSession: () => session }));
vi.mock("./second-factor.tsx", () => ({ SecondFactor: () => null }));

/** The address, the browser's own button, and a link from elsewhere. */
function Browser(): ReactNode {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  return (
    <>
      <p data-testid="address">{pathname + search}</p>
      <button onClick={() => void navigate(-1)}>To the page before</button>
      <Link to="/auth?mode=forgot">From elsewhere</Link>
    </>
  );
}

const page = (): ReactNode => (
  <>
    <AuthPage />
    <Browser />
  </>
);
const showPage = () => show(page());
const address = (): string | null => screen.getByTestId("address").textContent;
const email = (): HTMLInputElement => screen.getByLabelText("Email");

// JOURNEY-1. The DOM of the tests lacks `navigator.userActivation`, as Firefox does before 120.
test("the address has the form that is displayed, and what was typed stays", async () => {
  const { user } = showPage();
  await user.type(email(), "malee@example.com");
  await user.click(screen.getByRole("button", { name: "Sign up" }));
  expect(address()).toBe("/auth?mode=sign-up");
  expect(screen.getByLabelText("Full Name")).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Log in" }));
  expect(address()).toBe("/auth");
  expect(screen.queryByLabelText("Full Name")).toBeNull();
  expect(email().value).toBe("malee@example.com");
});

// ACCOUNT-5
test("a forgotten password is a step of the history, and keeps what was typed", async () => {
  const { user } = showPage();
  const press = (name: string) => user.click(screen.getByRole("button", { name }));
  let typed = "malee@example.com";
  await user.type(email(), typed);
  for (const back of ["To the page before", "Back"]) {
    await press("Forgot your password?");
    expect(address()).toBe("/auth?mode=forgot");
    expect(screen.getByRole("heading", { name: "Reset your password" })).toBeDefined();
    expect(email().value).toBe(typed);
    await user.type(email(), "x");
    await press(back);
    typed += "x";
    expect(screen.getByRole("heading", { name: "Welcome Back" })).toBeDefined();
    expect([address(), email().value]).toEqual(["/", typed]);
  }
});

test("the form is empty after a step behind it", async () => {
  const { user, rerender } = showPage();
  await user.type(email(), "malee@example.com");
  await user.click(screen.getByRole("button", { name: "Forgot your password?" }));
  await user.click(screen.getByRole("button", { name: "Back" }));
  for (const status of ["second-factor", "signed-out"]) {
    session.status = status;
    rerender(page());
  }
  expect(email().value).toBe("");
});

test("the form for a forgotten password that a link opened leads back to signing in", async () => {
  const { user } = showPage();
  await user.click(screen.getByRole("link", { name: "From elsewhere" }));
  await user.click(screen.getByRole("button", { name: "Back" }));
  expect(address()).toBe("/auth");
  expect(screen.getByRole("heading", { name: "Welcome Back" })).toBeDefined();
});

// ACCOUNT-2: a browser would refuse letters outside ASCII in words of its own, before the server is asked.
test("a wrong address is refused at sign-up in the words of the site", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.mocked(signUp).mockRejectedValue(new ProductError("email_reserved"));
  const { user } = showPage();
  await user.click(screen.getByRole("button", { name: "Sign up" }));
  await user.type(screen.getByLabelText("Full Name"), "Malee");
  await user.type(screen.getByLabelText("Password"), "a fine long password");
  const submit = screen.getByRole("button", { name: "Create Account" });
  await user.click(submit);
  expect(await screen.findByText(errors.email_invalid.text)).toBeDefined();
  expect(signUp).not.toHaveBeenCalled();
  await user.type(email(), "kim.\u0430dmin@example.com");
  await user.click(submit);
  expect(await screen.findByText(errors.email_reserved.text)).toBeDefined();
});
