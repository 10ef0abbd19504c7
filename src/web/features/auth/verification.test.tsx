// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Me } from "#domain/api/account";
import { errors, ProductError } from "#domain/errors/messages";
import { siteLinksOf } from "#domain/site-links";
import { show } from "../../../../tests/support/render.tsx";
import { api } from "../../platform/api.ts";
import { useCodeSending, type CodeSending } from "./use-code-sending.ts";
import { Verification } from "./verification.tsx";

vi.mock("../../platform/api.ts", () => ({
  api: { account: { verifyEmail: vi.fn<() => unknown>(), sendVerificationEmail: vi.fn<() => unknown>() } },
}));
vi.mock("../../platform/site.ts", async (original) => ({
  ...(await original<object>()),
  siteLinks: siteLinksOf({ contactEmail: "help@example.com" }),
}));
const verifyEmail = vi.mocked(api.account.verifyEmail);
const sendVerificationEmail = vi.mocked(api.account.sendVerificationEmail);
const me = {
  email: "malee@example.com",
  full_name: "Malee",
  verification: { resend_after: 0, tries_left: 5, mail_failed: false },
} as Me;
const idle: CodeSending = {
  status: "idle",
  error: undefined,
  offersHelp: false,
  hasFirstFailed: false,
  secondsLeft: 0,
  send: vi.fn<() => void>(),
  resend: vi.fn<() => void>(),
};
const boxes = () => screen.getAllByRole<HTMLInputElement>("textbox").filter((box) => !box.hasAttribute("aria-hidden"));
const verifyButton = () => screen.getByRole<HTMLButtonElement>("button", { name: "Verify Email" });
const resendButton = () => screen.getByRole<HTMLButtonElement>("button", { name: "Resend code" });
beforeEach(() => {
  vi.mocked(idle.resend).mockReset();
  // Not in the DOM of the tests.
  Object.defineProperty(navigator, "userActivation", { value: { hasBeenActive: false }, configurable: true });
  verifyEmail.mockReset();
});

test("the button waits for all six digits", async () => {
  const { user } = show(<Verification me={me} sending={idle} />);
  expect(boxes()).toHaveLength(6);
  await user.click(boxes()[0]!);
  await user.keyboard("12345");
  expect(verifyButton().disabled).toBe(true);
  await user.keyboard("6");
  expect(verifyButton().disabled).toBe(false);
});

test("a wrong code is explained, and the boxes are empty for another try", async () => {
  verifyEmail.mockRejectedValue(new ProductError("verification_code_invalid"));
  const { user } = show(<Verification me={me} sending={idle} />);
  await user.click(boxes()[0]!);
  await user.keyboard("123456");
  await user.click(verifyButton());
  expect((await screen.findByRole("alert")).textContent).toBe(errors.verification_code_invalid.text);
  expect(verifyEmail).toHaveBeenCalledWith({ code: "123456" });
  await waitFor(() => expect(boxes().map(({ value }) => value)).toEqual(["", "", "", "", "", ""]));
  await user.click(boxes()[0]!);
  await user.keyboard("1");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a code that could not be sent stays, and the boxes have the focus", async () => {
  verifyEmail.mockRejectedValue(new ProductError("offline"));
  const { user } = show(<Verification me={me} sending={idle} />);
  await user.click(boxes()[0]!);
  await user.keyboard("123456{Enter}");
  expect((await screen.findByRole("alert")).textContent).toContain(errors.verification_failed.text);
  await waitFor(() => expect(document.activeElement).toBe(boxes()[0]));
  expect(boxes().map(({ value }) => value)).toEqual(["1", "2", "3", "4", "5", "6"]);
});

test("another code can be requested only after the pause", () => {
  const { rerender } = show(<Verification me={me} sending={{ ...idle, secondsLeft: 42 }} />);
  resendButton().click();
  expect(idle.resend).not.toHaveBeenCalled();
  expect(resendButton().getAttribute("aria-disabled")).toBe("true");
  expect(screen.getByText("in 42 s")).toBeDefined();
  rerender(<Verification me={me} sending={idle} />);
  resendButton().click();
  expect(idle.resend).toHaveBeenCalledExactlyOnceWith({ email: me.email, fullName: me.full_name });
});

test("the button for another code keeps the focus, and the screen says it is sent", () => {
  const { rerender } = show(<Verification me={me} sending={idle} />);
  const button = resendButton();
  button.focus();
  rerender(<Verification me={me} sending={{ ...idle, status: "pending" }} />);
  rerender(<Verification me={me} sending={{ ...idle, status: "success", secondsLeft: 60 }} />);
  expect(document.activeElement).toBe(button);
  expect(button.disabled).toBe(false);
  const sent = screen.getByText("A code is on its way.");
  expect(sent.getAttribute("role")).toBe("status");
  expect(sent.classList).not.toContain("sr-only");
  const failed = { ...me, verification: { resend_after: 60, tries_left: 5, mail_failed: true } };
  rerender(<Verification me={failed} sending={{ ...idle, status: "success", secondsLeft: 60 }} />);
  expect(screen.queryByText("A code is on its way.")).toBeNull();
});

// VERIFY-5
test("a pasted code replaces what is in the boxes, wherever the cursor is", async () => {
  const { user } = show(<Verification me={me} sending={idle} />);
  await user.click(boxes()[0]!);
  await user.keyboard("98");
  await user.click(boxes()[1]!);
  await user.paste("Your code: 123 456.");
  expect(boxes().map(({ value }) => value)).toEqual(["1", "2", "3", "4", "5", "6"]);
  expect(document.activeElement).toBe(boxes()[5]);
});

test("Enter with five digits asks for the complete code, and the digits stay", async () => {
  const { user } = show(<Verification me={me} sending={idle} />);
  await user.click(boxes()[0]!);
  await user.keyboard("12345{Enter}");
  expect((await screen.findByRole("alert")).textContent).toBe(errors.verification_code_incomplete.text);
  expect(boxes().map(({ value }) => value)).toEqual(["1", "2", "3", "4", "5", ""]);
  expect(verifyEmail).not.toHaveBeenCalled();
});

// VERIFY-7
test("a code without tries left leads to asking for a new one", () => {
  const { rerender } = show(<Verification me={me} sending={idle} />);
  expect(screen.queryByText(/No code works now/)).toBeNull();
  const spent = { ...me, verification: { resend_after: 0, tries_left: 0, mail_failed: false } };
  rerender(<Verification me={spent} sending={idle} />);
  expect(screen.getByText(/No code works now/)).toBeDefined();
  rerender(<Verification me={spent} sending={{ ...idle, status: "pending" }} />);
  expect(screen.queryByText(/No code works now/)).toBeNull();
});

test("the heading says that the mail could not be sent", () => {
  const failed = { ...me, verification: { resend_after: 0, tries_left: 5, mail_failed: true } };
  const { rerender } = show(<Verification me={failed} sending={idle} />);
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(errors.verification_email_failed.text);
  rerender(<Verification me={me} sending={idle} />);
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Verify your email");
});

/** The screen over sign-ups and sign-outs, as the page keeps it. */
function Screen({ account }: { account: Me }): ReactNode {
  const sending = useCodeSending({ status: "signed-in", me: account, asOf: 0 });
  return (
    <>
      <button onClick={() => sending.send({ email: " Malee@Example.com", fullName: "Malee" })}>Sign up</button>
      <Verification me={account} sending={sending} />
    </>
  );
}
const withoutCode = { ...me, verification: { resend_after: 0, tries_left: 0, mail_failed: false } };
const heading = () => screen.getByRole("heading", { level: 1 }).textContent;

// VERIFY-7
test.each([
  ["whose reply was lost", "offline", me, "Verify your email"],
  ["that failed", "unavailable", withoutCode, errors.verification_email_failed.text],
  ["that came too soon after another", "code_resend_too_soon", withoutCode, "Verify your email"],
] as const)("the heading says of a first code %s whether there is one", async (_which, code, account, title) => {
  sendVerificationEmail.mockRejectedValue(new ProductError(code));
  const { user } = show(<Screen account={account} />);
  await user.click(screen.getByRole("button", { name: "Sign up" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: "Sending..." })).toBeNull());
  expect(heading()).toBe(title);
  expect(screen.queryByRole("alert")).toBeNull();
});

test("what was sent to one address is not said of the next one", async () => {
  sendVerificationEmail.mockResolvedValue({ sent: true, resend_after: 60 });
  const { user, rerender } = show(<Screen account={me} />);
  await user.click(screen.getByRole("button", { name: "Sign up" }));
  expect(await screen.findByText("A code is on its way.")).toBeDefined();
  expect(resendButton().getAttribute("aria-disabled")).toBe("true");
  rerender(<Screen account={{ ...withoutCode, email: "other@example.com" }} />);
  expect(screen.queryByText("A code is on its way.")).toBeNull();
  expect(resendButton().getAttribute("aria-disabled")).toBe("false");
});

// CONTACT-1
test("displays the contacts when the server cannot send another code", () => {
  const failed = { ...idle, status: "error" as const, error: errors.resend_failed.text, offersHelp: true };
  const { rerender } = show(<Verification me={me} sending={failed} />);
  expect(screen.getByRole("alert").textContent).toContain("If this goes on, write to help@example.com.");
  rerender(<Verification me={me} sending={{ ...failed, offersHelp: false }} />);
  expect(screen.getByRole("alert").textContent).toBe(errors.resend_failed.text);
});
