// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Me } from "#domain/api/account";
import { errors, ProductError } from "#domain/errors/messages";
import { siteLinksOf } from "#domain/site-links";
import { show } from "../../../../tests/support/render.tsx";
import { requestEmail } from "./calls.ts";
import { EmailPanel } from "./email-panel.tsx";
import { refreshAccount, useSessions, useUser } from "./queries.ts";
import { SecondFactorPanel } from "./second-factor-panel.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";

const site = vi.hoisted(() => ({ siteLinks: {}, siteName: () => "Pipwright" }));
vi.mock("../../platform/site.ts", () => site);
vi.mock("../../entities/session/session.tsx", () => ({ isLogout: () => false }));
vi.mock("./calls.ts", () => ({
  requestEmail: vi.fn<() => unknown>(),
  enroll: vi.fn<() => unknown>(),
  unenroll: vi.fn<() => unknown>(),
  confirmEmail: vi.fn<() => unknown>(),
}));
vi.mock("./queries.ts", () => ({
  useSessions: vi.fn<() => unknown>(),
  useUser: vi.fn<() => unknown>(),
  useEndSessions: () => ({ error: null, isPending: false, isSuccess: false }),
  refreshAccount: vi.fn<() => unknown>(),
}));
site.siteLinks = siteLinksOf({ contactEmail: "help@example.com" });

const failedWith = (code: "unavailable" | "too_many_requests") =>
  ({ error: new ProductError(code), isPending: false }) as never;
const help = "If this goes on, write to help@example.com.";

// CONTACT-1
test.each([
  ["the sessions", <SessionsPanel key="sessions" />],
  ["the second factor", <SecondFactorPanel key="factor" />],
])("displays the contacts when the server fails to read %s, not when it refuses", (_what, panel) => {
  for (const hook of [useSessions, useUser]) vi.mocked(hook).mockReturnValue(failedWith("unavailable"));
  const { rerender } = show(panel);
  expect(screen.getByRole("alert").textContent).toContain(help);
  for (const hook of [useSessions, useUser]) vi.mocked(hook).mockReturnValue(failedWith("too_many_requests"));
  rerender(<div>{panel}</div>);
  expect(screen.getByRole("alert").textContent).not.toContain(help);
});

// CONTACT-1
test("displays the contacts when another code for a new address cannot be sent", async () => {
  vi.mocked(useUser).mockReturnValue({ data: { newEmail: "new@example.com" } } as never);
  vi.mocked(requestEmail).mockRejectedValue(new ProductError("unavailable"));
  const { user } = show(<EmailPanel me={{ email: "malee@example.com", role: "student" } as Me} />);
  await user.click(screen.getByRole("button", { name: "Send another code" }));
  expect((await screen.findByRole("alert")).textContent).toContain(help);
});

test("no error is displayed while a code for a new address is awaited", () => {
  vi.mocked(useUser).mockReturnValue({ data: { newEmail: "new@example.com" } } as never);
  show(<EmailPanel me={{ email: "malee@example.com", role: "student" } as Me} />);
  expect(screen.getByLabelText("Code from the mail")).toBeDefined();
  expect(screen.queryByRole("alert")).toBeNull();
});

// TEXT-2
test("the present address is refused as a new one, in any letter case", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.mocked(useUser).mockReturnValue({ data: { newEmail: undefined } } as never);
  vi.mocked(requestEmail).mockReset();
  const { user } = show(<EmailPanel me={{ email: "malee@example.com", role: "student" } as Me} />);
  await user.type(screen.getByLabelText("New email address"), " Malee@Example.com ");
  await user.click(screen.getByRole("button", { name: "Send the code" }));
  expect((await screen.findByRole("alert")).textContent).toBe(errors.email_same.text);
  expect(requestEmail).not.toHaveBeenCalled();
});

// OWN-3
test("whether a code was mailed is read again where the reply to the request was lost", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.mocked(useUser).mockReturnValue({ data: { newEmail: undefined } } as never);
  vi.mocked(requestEmail).mockRejectedValue(new ProductError("auth_unreachable"));
  vi.mocked(refreshAccount).mockClear();
  const { user } = show(<EmailPanel me={{ email: "malee@example.com", role: "student" } as Me} />);
  await user.type(screen.getByLabelText("New email address"), "new@example.com");
  await user.click(screen.getByRole("button", { name: "Send the code" }));
  await screen.findByRole("alert");
  expect(refreshAccount).toHaveBeenCalledOnce();
});
