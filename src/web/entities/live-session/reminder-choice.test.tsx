// @vitest-environment happy-dom
import { onlineManager } from "@tanstack/react-query";
import { screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Me } from "#domain/api/account";
import { errors, ProductError } from "#domain/errors/messages";
import { show } from "../../../../tests/support/render.tsx";
import { api } from "../../platform/api.ts";
import { PreviewAs } from "../session/preview.tsx";
import { SessionContext } from "../session/session.tsx";
import { ReminderChoice } from "./reminder-choice.tsx";

vi.mock("../../platform/api.ts", () => ({
  api: { mailChoices: { get: vi.fn<() => unknown>(), put: vi.fn<() => unknown>() } },
}));
const calls = vi.mocked(api.mailChoices);
beforeEach(() => {
  calls.get.mockReset().mockResolvedValue({ news: true, live_session_reminder: true });
  calls.put.mockReset().mockResolvedValue({ news: true, live_session_reminder: false });
});
afterEach(() => onlineManager.setOnline(true));

// LIVESESSION-8
test("a checkbox turns the mail before each session off", async () => {
  const { user } = show(<ReminderChoice />);
  const box = await screen.findByRole<HTMLInputElement>("checkbox", { name: "Mail me an hour before each live session" });
  expect(box.checked).toBe(true);
  await user.click(box);
  expect(calls.put).toHaveBeenCalledWith({ live_session_reminder: false });
  await expect.poll(() => box.checked).toBe(false);
});

// TEXT-2, MAIL-8
test("a choice that was refused offline is as it was, and the next click sends it", async () => {
  const { user } = show(<ReminderChoice />);
  const box = await screen.findByRole<HTMLInputElement>("checkbox");
  onlineManager.setOnline(false);
  calls.put.mockRejectedValueOnce(new ProductError("offline"));
  await user.click(box);
  expect((await screen.findByRole("alert")).textContent).toContain(errors.offline.text);
  expect(box.checked).toBe(true);
  await user.click(box);
  expect(calls.put).toHaveBeenNthCalledWith(2, { live_session_reminder: false });
});

// VIDEOS-5
test("the preview has no such checkbox, and holds no place for it", () => {
  const { container } = show(
    <SessionContext value={{ status: "signed-in", me: { role: "admin" } as Me, asOf: 0 }}>
      <PreviewAs tier="advanced">
        <ReminderChoice />
      </PreviewAs>
    </SessionContext>,
  );
  expect(container.childElementCount).toBe(0);
  expect(calls.get).not.toHaveBeenCalled();
});

// TEXT-2
test("a choice that could not be loaded says so, and is asked for again", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  calls.get.mockRejectedValueOnce(new ProductError("too_many_requests"));
  const { user } = show(<ReminderChoice />);
  expect((await screen.findByRole("alert")).textContent).toContain(errors.too_many_requests.text);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("checkbox")).toBeDefined();
  expect(screen.queryByRole("alert")).toBeNull();
});
