// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { ProductError } from "#domain/errors/messages";
import { siteLinksOf } from "#domain/site-links";
import { show } from "../../../../tests/support/render.tsx";
import { api } from "../../platform/api.ts";
import { StepUpDialog } from "./step-up-dialog.tsx";

vi.mock("../../platform/api.ts", () => ({ api: { account: { stepUp: vi.fn<() => unknown>() } } }));
vi.mock("../../platform/site.ts", () => ({ siteLinks: siteLinksOf({ contactEmail: "help@example.com" }) }));
const me = vi.hoisted(() => ({ second_factor: false }));
const refreshMe = vi.hoisted(() => vi.fn<() => Promise<void>>());
vi.mock("./session.tsx", () => ({ useSession: () => ({ status: "signed-in", me }), refreshMe }));

// CONTACT-1, STEPUP-1
test("the contacts are offered where the password could not be checked", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.mocked(api.account.stepUp).mockRejectedValue(new ProductError("unexpected"));
  const { user } = show(<StepUpDialog />);
  await user.type(screen.getByLabelText("Your password"), "a fine long password");
  await user.click(screen.getByRole("button", { name: "Confirm" }));
  expect((await screen.findByRole("alert")).textContent).toContain("help@example.com");
});

// STEPUP-1
test("the other proof is asked for where the second factor was changed elsewhere", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  me.second_factor = true;
  refreshMe.mockImplementation(async () => {
    me.second_factor = false;
    rerender(<StepUpDialog />);
  });
  vi.mocked(api.account.stepUp).mockRejectedValue(new ProductError("invalid_input"));
  const { user, rerender } = show(<StepUpDialog />);
  await user.type(screen.getByLabelText("Code"), "123456");
  await user.click(screen.getByRole("button", { name: "Confirm" }));
  expect((await screen.findByLabelText<HTMLInputElement>("Your password")).value).toBe("");
  expect(screen.queryByRole("alert")).toBeNull();
});
