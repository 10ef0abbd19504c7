// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { ProductError } from "#domain/errors/messages";
import { showAdmin } from "../../../../tests/support/render.tsx";
import { giveCode } from "../../entities/session/account-calls.ts";
import { EnrolmentSteps } from "./enrolment-steps.tsx";

vi.mock("../../platform/site.ts", () => ({ siteName: () => "Pipwright", siteLinks: {} }));
vi.mock("../../entities/session/session.tsx", () => ({ isLogout: () => false }));
vi.mock("../../entities/session/account-calls.ts", () => ({ giveCode: vi.fn<() => unknown>() }));
vi.mock("./queries.ts", () => ({ refreshAccount: () => Promise.resolve() }));

const enrolment = { factorId: "f", uri: "otpauth://totp/Pipwright", secret: "ABCDEFGH", recoveryCodes: ["one", "two"] };
const isAskedOnClose = (): boolean => !dispatchEvent(new Event("beforeunload", { cancelable: true }));
const press = (name: string): HTMLElement => screen.getByRole("button", { name });

// FACTOR-4
test("asks before recovery codes are left while the first code may have counted", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  let settle = { succeed: (): void => {}, fail: (_error: Error): void => {} };
  vi.mocked(giveCode).mockImplementation(() => new Promise((succeed, fail) => (settle = { succeed, fail })));
  const { user, router } = showAdmin(<EnrolmentSteps enrolment={enrolment} onDone={() => {}} />);
  await user.click(press("Turn on"));
  await screen.findByText(/6-digit/);
  expect(isAskedOnClose()).toBe(false);
  await user.type(screen.getByLabelText("Code from the app"), "123456");
  await user.click(press("Turn on"));
  expect(isAskedOnClose()).toBe(true);
  act(() => settle.fail(new ProductError("second_factor_code_invalid")));
  await screen.findByText(/This code is not correct/);
  expect(isAskedOnClose()).toBe(false);

  await user.click(press("Turn on"));
  act(() => settle.fail(new ProductError("auth_unreachable")));
  await screen.findByRole("alert");
  await user.click(press("Turn on"));
  act(() => settle.fail(new ProductError("second_factor_code_invalid")));
  await screen.findByText(/This code is not correct/);
  expect(screen.queryByRole("button", { name: "Cancel" })).toBeNull();
  await act(() => router.navigate("/"));
  expect(await screen.findByRole("alertdialog", { name: "Leave without the recovery codes?" })).toBeDefined();
  await user.click(press("Cancel"));
  expect(router.state.location.pathname).toBe("/admin");

  await user.click(press("Turn on"));
  await act(() => router.navigate("/"));
  act(() => settle.succeed());
  // The question stands while the codes appear behind it.
  expect(await screen.findByRole("list", { name: "Recovery codes", hidden: true })).toBeDefined();
  await user.click(press("Cancel"));
  expect(router.state.location.pathname).toBe("/admin");
});
