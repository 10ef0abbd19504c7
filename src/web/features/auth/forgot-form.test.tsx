// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { show } from "../../../../tests/support/render.tsx";
import { requestRecovery } from "../../entities/session/account-calls.ts";
import { ForgotForm } from "./forgot-form.tsx";

vi.mock("../../entities/session/account-calls.ts", () => ({ requestRecovery: vi.fn<() => Promise<void>>() }));

test("another mail can be requested at once, by the button that keeps the focus", async () => {
  vi.mocked(requestRecovery).mockResolvedValue();
  // Not in the DOM of the tests.
  Object.defineProperty(navigator, "userActivation", { value: { hasBeenActive: false }, configurable: true });
  const { user } = show(<ForgotForm next={undefined} email="" onEmail={() => {}} onBack={() => {}} />);
  await user.type(screen.getByLabelText("Email"), "malee@example.com");
  const button = screen.getByRole<HTMLButtonElement>("button", { name: "Send the link" });
  await user.click(button);
  await screen.findByText("Please check your mailbox");
  expect(button.disabled).toBe(false);
  expect(document.activeElement).toBe(button);
  await user.click(button);
  await waitFor(() => expect(requestRecovery).toHaveBeenCalledTimes(2));
});
