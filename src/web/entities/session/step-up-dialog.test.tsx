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
vi.mock("./session.tsx", () => ({ useSession: () => ({ status: "signed-in", me: { second_factor: false } }) }));

// CONTACT-1, STEPUP-1
test("the contacts are offered where the password could not be checked", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.mocked(api.account.stepUp).mockRejectedValue(new ProductError("unexpected"));
  const { user } = show(<StepUpDialog />);
  await user.type(screen.getByLabelText("Your password"), "a fine long password");
  await user.click(screen.getByRole("button", { name: "Confirm" }));
  expect((await screen.findByRole("alert")).textContent).toContain("help@example.com");
});
