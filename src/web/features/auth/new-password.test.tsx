// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { errors, ProductError } from "#domain/errors/messages";
import { texts } from "#domain/texts/texts";
import { show } from "../../../../tests/support/render.tsx";
import { changePassword, redeemRecoveryToken } from "../../entities/session/account-calls.ts";
import { NewPassword, taken } from "./new-password.tsx";

vi.mock("../../entities/session/account-calls.ts", async (load) => ({
  ...(await load<typeof import("../../entities/session/account-calls.ts")>()),
  changePassword: vi.fn<() => Promise<void>>(),
  redeemRecoveryToken: vi.fn<() => Promise<string>>(),
}));

// ACCOUNT-6.
test.each(["step_up_needed", "password_confirmation_wrong"] as const)(
  "a person whose hour is over (%s) is told to ask for another link",
  async (code) => {
    // Not in the DOM of the tests.
    Object.defineProperty(navigator, "userActivation", { value: { hasBeenActive: false }, configurable: true });
    vi.spyOn(console, "error").mockImplementation(() => {});
    vi.mocked(changePassword).mockRejectedValue(new ProductError(code));
    const { user } = show(<NewPassword token={taken} account="malee" next={undefined} signedIn="malee" />);
    await user.type(screen.getByLabelText("New password"), "an even finer password");
    await user.click(screen.getByRole("button", { name: "Save the new password" }));
    expect((await screen.findByRole("alert")).textContent).toBe(errors.recovery_link_invalid.text);
  },
);

// ACCOUNT-6
test.each(["nok", undefined])("a link's form is not for another session (%s) of the browser", (signedIn) => {
  show(<NewPassword token={taken} account="malee" next={undefined} signedIn={signedIn} />);
  expect(screen.getByRole("alert").textContent).toContain(errors.recovery_link_invalid.text);
  expect(screen.queryByLabelText("New password")).toBeNull();
});

const open = (token: string) => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  return show(<NewPassword token={token} next={undefined} signedIn={undefined} />);
};

test("a link that could not be opened is tried again", async () => {
  vi.mocked(redeemRecoveryToken).mockRejectedValueOnce(new ProductError("auth_unreachable")).mockResolvedValueOnce("malee");
  const { user } = open("good");
  expect(await screen.findByText("The link could not be opened yet.")).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText(texts.session.loading)).toBeDefined();
  await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
  expect(vi.mocked(redeemRecoveryToken).mock.calls).toEqual([["good"], ["good"]]);
});

test("a link that is refused is dead", async () => {
  vi.mocked(redeemRecoveryToken).mockRejectedValueOnce(new ProductError("recovery_link_invalid"));
  open("used");
  expect(await screen.findByText("This link cannot be used.")).toBeDefined();
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});
