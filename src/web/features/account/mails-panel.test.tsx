// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { ProductError } from "#domain/errors/messages";
import { show } from "../../../../tests/support/render.tsx";
import { api } from "../../platform/api.ts";
import { MailsPanel } from "./mails-panel.tsx";

vi.mock("../../platform/api.ts", () => ({
  api: { mailChoices: { get: vi.fn<() => unknown>(), put: vi.fn<() => unknown>() } },
}));
const get = vi.mocked(api.mailChoices.get);
const put = vi.mocked(api.mailChoices.put);
beforeEach(() => {
  get.mockReset().mockResolvedValue({ news: true, live_session_reminder: true });
  put.mockReset().mockResolvedValue({ news: false, live_session_reminder: true });
});

const newsBox = () => screen.findByRole<HTMLInputElement>("checkbox", { name: "News about the course" });

// MAIL-8
test("a choice about mails is saved at once, and that is announced", async () => {
  const { user } = show(<MailsPanel tier="starter" />);
  expect((await newsBox()).checked).toBe(true);
  get.mockResolvedValue({ news: false, live_session_reminder: true });
  await user.click(await newsBox());
  expect(put).toHaveBeenCalledExactlyOnceWith({ news: false });
  await waitFor(() => expect(screen.getByRole("status").textContent).toBe("Saved: News about the course off."));
  expect((await newsBox()).checked).toBe(false);
});

test("a choice about mails that was not saved goes back, with the error", async () => {
  put.mockRejectedValue(new ProductError("too_many_requests"));
  const { user } = show(<MailsPanel tier="starter" />);
  await user.click(await newsBox());
  expect((await screen.findByRole("alert")).textContent).toContain("Too many attempts.");
  await waitFor(async () => expect((await newsBox()).checked).toBe(true));
});

test("the mails panel names the necessary mails and what a tier changes", async () => {
  show(<MailsPanel tier="unpaid" />);
  await newsBox();
  expect(screen.getByText(/Codes, security notices and mails about your payments are always sent/)).toBeDefined();
  expect(screen.getByText(/It turns on with your first package/)).toBeDefined();
  expect(screen.getByText(/Live sessions are part of Advanced/)).toBeDefined();
});

test("mail choices that could not be read can be asked for again", async () => {
  get.mockRejectedValueOnce(new ProductError("not_allowed"));
  const { user } = show(<MailsPanel tier="starter" />);
  await user.click(await screen.findByRole("button", { name: "Try again" }));
  expect((await newsBox()).checked).toBe(true);
});
