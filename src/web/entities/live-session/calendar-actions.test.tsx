// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { LiveOccurrence } from "#domain/api/course/live-sessions";
import { errors, ProductError } from "#domain/errors/messages";
import { siteLinksOf } from "#domain/site-links";
import { show } from "../../../../tests/support/render.tsx";
import { api } from "../../platform/api.ts";
import { queryClient } from "../../platform/query/query-client.ts";
import { CalendarActions } from "./calendar-actions.tsx";
import { liveSessionsKey } from "./queries.ts";

const chunk = vi.hoisted(() => ({ isGone: false }));
vi.mock("../../ui/dialog.tsx", async (importOriginal) => {
  const { ConfirmDialog } = await importOriginal<typeof import("../../ui/dialog.tsx")>();
  return {
    get ConfirmDialog() {
      if (chunk.isGone) throw new TypeError("Failed to fetch dynamically imported module");
      return ConfirmDialog;
    },
  };
});
vi.mock("../../platform/site.ts", () => ({ siteLinks: siteLinksOf({ contactEmail: "help@example.com" }) }));
vi.mock("../../platform/api.ts", () => ({
  api: { liveSessions: { calendarLink: vi.fn<() => unknown>(), renewCalendarLink: vi.fn<() => unknown>() } },
}));
const calls = vi.mocked(api.liveSessions);
const calendar = "https://course.example/api/live-sessions.ics?token=t";

beforeEach(() => {
  calls.calendarLink.mockReset().mockResolvedValue({ url: calendar });
  calls.renewCalendarLink.mockReset().mockResolvedValue({ url: `${calendar}2` });
});
const showActions = () => show(<CalendarActions occurrence={{ id: "a" } as LiveOccurrence} />);
async function askForNewLink({ user }: ReturnType<typeof showActions>): Promise<void> {
  await user.click(await screen.findByRole("button", { name: "Subscribe", expanded: false }));
  await user.click(screen.getByRole("button", { name: "New link" }));
}

// LIVESESSION-5
test("a file and a calendar are offered, and the calendar's link can be renewed", async () => {
  const { user } = showActions();
  const file = await screen.findByRole("link", { name: "Add to calendar" });
  expect(file.getAttribute("href")).toBe(`${calendar}&occurrence=a`);
  await user.click(screen.getByRole("button", { name: "Subscribe", expanded: false }));
  const open = screen.getByRole("link", { name: "Open in calendar" });
  expect(open.getAttribute("href")).toBe(calendar.replace("https:", "webcal:"));
  await user.click(screen.getByRole("button", { name: "New link" }));
  await user.click(await screen.findByRole("button", { name: "Make a new link" }));
  expect(await screen.findByText(`${calendar}2`)).toBeDefined();
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

test("a read that began before the link was renewed does not bring the old one back", async () => {
  const shown = showActions();
  await askForNewLink(shown);
  const replies: (() => void)[] = [];
  for (const url of [calendar, `${calendar}3`]) {
    calls.calendarLink.mockReturnValueOnce(new Promise((resolve) => replies.push(() => resolve({ url }))));
  }
  void queryClient.invalidateQueries({ queryKey: liveSessionsKey });
  await shown.user.click(await screen.findByRole("button", { name: "Make a new link" }));
  expect(await screen.findByText(`${calendar}2`)).toBeDefined();
  for (const reply of replies) reply();
  expect(await screen.findByText(`${calendar}3`)).toBeDefined();
});

// TEXT-2
test("the page stays when the dialog cannot be loaded; the next click loads it", async () => {
  chunk.isGone = true;
  onTestFinished(() => void (chunk.isGone = false));
  const shown = showActions();
  await askForNewLink(shown);
  expect((await screen.findByRole("alert")).textContent).toContain(errors.part_not_loaded.text);
  chunk.isGone = false;
  await shown.user.click(screen.getByRole("button", { name: "New link" }));
  expect(await screen.findByRole("button", { name: "Make a new link" })).toBeDefined();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a calendar that could not be loaded says so, and is asked for again", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  calls.calendarLink.mockRejectedValueOnce(new ProductError("too_many_requests"));
  const { user } = showActions();
  expect((await screen.findByRole("alert")).textContent).toContain(errors.too_many_requests.text);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByRole("link", { name: "Add to calendar" })).toBeDefined();
  expect(screen.queryByRole("alert")).toBeNull();
});

// CONTACT-1
test("a link that cannot be renewed offers the contacts in its dialog", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  calls.renewCalendarLink.mockRejectedValue(new ProductError("unexpected"));
  const shown = showActions();
  await askForNewLink(shown);
  await shown.user.click(await screen.findByRole("button", { name: "Make a new link" }));
  expect((await screen.findByRole("alert")).textContent).toContain("help@example.com");
});
