// @vitest-environment happy-dom
import { act, screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { createElement } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { LiveOccurrence, LiveSession } from "#domain/api/course/live-sessions";
import { ProductError } from "#domain/errors/messages";
import { show, showAdmin } from "../../../../../tests/support/render.tsx";
import { api } from "../../../platform/api.ts";
import { LeaveGuard } from "../editing/leave-guard.tsx";
import { LiveTab } from "./live-tab.tsx";

vi.mock("../../../platform/api.ts", () => ({
  api: {
    liveSessions: {
      list: vi.fn<() => unknown>(),
      create: vi.fn<() => unknown>(),
      update: vi.fn<() => unknown>(),
      occurrences: vi.fn<() => unknown>(),
      changeOccurrence: vi.fn<() => unknown>(),
    },
    videos: { list: vi.fn<() => unknown>() },
  },
}));
const calls = vi.mocked(api.liveSessions);

const session: LiveSession = {
  id: "s",
  title: "The week ahead",
  description: "About it.",
  date: "2026-11-24",
  time: "19:00",
  time_zone: "Asia/Bangkok",
  duration_minutes: 90,
  weekly: true,
  ends_on: null,
  next_starts_at: null,
  join_url: "https://meet.example/room",
};
const hoursFromNow = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const occurrence = (id: string, hours: number): LiveOccurrence =>
  ({
    id,
    title: session.title,
    starts_at: hoursFromNow(hours),
    ends_at: hoursFromNow(hours + 1),
    time_zone: "Asia/Bangkok",
    moved: false,
    cancelled: false,
    recording: null,
  }) as LiveOccurrence;

beforeEach(() => {
  // A form with the four hundred of a browser takes seconds to search through.
  vi.spyOn(Intl, "supportedValuesOf").mockReturnValue(["Asia/Bangkok", "Europe/Berlin"]);
  calls.list.mockReset().mockResolvedValue({ items: [session], next_cursor: null });
  calls.create.mockReset().mockResolvedValue(session);
  calls.update.mockReset().mockResolvedValue(session);
  calls.changeOccurrence.mockReset().mockResolvedValue(occurrence("a", 5));
  calls.occurrences.mockReset().mockImplementation(({ when } = {}) =>
    Promise.resolve({
      items: when === "past" ? [occurrence("p", -5)] : [occurrence("a", 5)],
      next_cursor: null,
      now: "2026-11-24T10:00:00Z",
    }),
  );
  vi.mocked(api.videos.list)
    .mockReset()
    .mockResolvedValue({ items: [{ id: "v", module: "Live", title: "Recorded" }], next_cursor: null } as never);
});

afterEach(() => void vi.restoreAllMocks());

const dialog = async () => within(await screen.findByRole("alertdialog"));

// LIVESESSION-1
test("a plan is displayed by its weekday, local time and zone", async () => {
  show(<LiveTab />);
  expect(await screen.findByText("Every Tuesday at 19:00, Asia/Bangkok, 90 min")).toBeDefined();
});

test("the days of a plan are those of its zone, wherever the admin is", async () => {
  vi.stubEnv("TZ", "America/New_York");
  vi.resetModules();
  const { LiveTab: inNewYork } = await import("./live-tab.tsx");
  calls.list.mockResolvedValue({ items: [{ ...session, weekly: false, ends_on: "2026-11-24" }], next_cursor: null });
  show(createElement(inNewYork));
  expect(await screen.findByText(/^24 Nov 2026 at 19:00, .* until 24 Nov 2026$/)).toBeDefined();
  vi.unstubAllEnvs();
});

test("a time zone is displayed without underscores", async () => {
  calls.list.mockResolvedValue({ items: [{ ...session, time_zone: "America/New_York" }], next_cursor: null });
  show(<LiveTab />);
  expect(await screen.findByText("Every Tuesday at 19:00, America/New York, 90 min")).toBeDefined();
});

/** Opens the form of a new session and fills it. */
async function fill(user: UserEvent): Promise<void> {
  await user.click(await screen.findByRole("button", { name: "Plan a live session" }));
  await user.type(screen.getByLabelText("Title"), "Trade review");
  await user.type(screen.getByLabelText("Description"), "Trades.");
  await user.type(screen.getByLabelText("Link to join"), "https://meet.example/x");
  await user.type(screen.getByLabelText("First day"), "2026-12-01");
  await user.type(screen.getByLabelText("Time"), "19:30");
  await user.selectOptions(screen.getByLabelText("Time zone"), "Europe/Berlin");
}

test("a session is planned with the fields of the form, without an empty last day", async () => {
  const { user } = show(<LiveTab />);
  await fill(user);
  await user.click(screen.getByRole("button", { name: "Plan session" }));
  await waitFor(() => expect(calls.create).toHaveBeenCalledOnce());
  expect(calls.create.mock.calls[0]![0].body).toEqual({
    title: "Trade review",
    description: "Trades.",
    join_url: "https://meet.example/x",
    date: "2026-12-01",
    time: "19:30",
    time_zone: "Europe/Berlin",
    duration_minutes: 60,
    weekly: true,
    ends_on: null,
  });
});

test("a session whose reply was lost is planned once and gets what was changed since", async () => {
  calls.create
    .mockRejectedValueOnce(new ProductError("offline"))
    .mockRejectedValueOnce(new ProductError("idempotency_key_reused"));
  const { user } = show(<LiveTab />);
  await fill(user);
  await user.click(screen.getByRole("button", { name: "Plan session" }));
  await screen.findByRole("alert");
  await user.type(screen.getByLabelText("Title"), "s");
  await user.click(screen.getByRole("button", { name: "Plan session" }));
  await waitFor(() => expect(calls.update).toHaveBeenCalled());
  expect(calls.create.mock.calls.map(([{ body }]) => body.title)).toEqual(["Trade review", "Trade reviews", "Trade review"]);
  expect(new Set(calls.create.mock.calls.map(([{ headers }]) => headers["idempotency-key"])).size).toBe(1);
  expect(calls.update).toHaveBeenCalledExactlyOnceWith({ params: { id: "s" }, body: { title: "Trade reviews" } });
});

test("a single session is planned whatever its hidden last day holds", async () => {
  const { user } = show(<LiveTab />);
  await fill(user);
  await user.type(screen.getByLabelText("Last day (optional)"), "0207-02-05");
  await user.click(screen.getByRole("button", { name: "Plan session" }));
  await screen.findByRole("alert");
  await user.click(screen.getByLabelText("Repeats every week"));
  await user.click(screen.getByRole("button", { name: "Plan session" }));
  await waitFor(() => expect(calls.create).toHaveBeenCalledOnce());
  expect(calls.create.mock.calls[0]![0].body).toMatchObject({ weekly: false, ends_on: null });
});

test("a last day before the first is refused at its field, before anything is sent", async () => {
  const { user } = show(<LiveTab />);
  await user.click(await screen.findByRole("button", { name: "Edit The week ahead" }));
  await user.type(screen.getByLabelText("Last day (optional)"), "2026-11-23");
  await user.click(screen.getByRole("button", { name: "Save changes" }));
  expect((await screen.findByRole("alert")).textContent).toContain("not before the first");
  expect(calls.update).not.toHaveBeenCalled();
});

// ADMIN-5
test("saving an edit sends the changed fields alone, and nothing where none is", async () => {
  const { user } = show(<LiveTab />);
  for (const typed of ["{End}!", "{End}"]) {
    await user.click(await screen.findByRole("button", { name: "Edit The week ahead" }));
    await user.type(screen.getByLabelText("Title"), typed);
    await user.click(screen.getByRole("button", { name: "Save changes" }));
    await waitFor(() => expect(screen.queryByRole("heading", { name: "Edit live session" })).toBeNull());
  }
  expect(calls.update).toHaveBeenCalledExactlyOnceWith({ params: { id: "s" }, body: { title: "The week ahead!" } });
});

// ADMIN-5
test("a half planned session is neither replaced nor left without a question", async () => {
  const { user, router } = showAdmin(
    <LeaveGuard>
      <LiveTab />
    </LeaveGuard>,
  );
  await user.click(await screen.findByRole("button", { name: "Plan a live session" }));
  await user.type(screen.getByLabelText("Title"), "Trade review");
  await user.click(screen.getByRole("button", { name: "Edit The week ahead" }));
  await user.click((await dialog()).getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(screen.getByLabelText<HTMLInputElement>("Title").value).toBe("Trade review");
  await act(() => router.navigate("/account"));
  expect((await screen.findByRole("alertdialog")).textContent).toContain("The live session in the form is not saved.");
  await user.click((await dialog()).getByRole("button", { name: "Discard changes" }));
  expect(router.state.location.pathname).toBe("/account");
});

// LIVESESSION-4
test("a date is cancelled once that is confirmed", async () => {
  const { user } = show(<LiveTab />);
  await user.click(await screen.findByRole("button", { name: /^Cancel / }));
  await user.click((await dialog()).getByRole("button", { name: "Yes, cancel it" }));
  await waitFor(() => expect(calls.changeOccurrence).toHaveBeenCalledWith({ params: { id: "a" }, body: { cancelled: true } }));
});

test("a date is moved in the time zone of its session", async () => {
  // The next day in Bangkok.
  const coming = { ...occurrence("a", 5), starts_at: "2026-12-01T20:00:00Z", ends_at: "2026-12-01T21:00:00Z" };
  calls.occurrences.mockImplementation(({ when } = {}) =>
    Promise.resolve({ items: when === "past" ? [] : [coming], next_cursor: null, now: "2026-11-24T10:00:00Z" }),
  );
  const { user } = show(<LiveTab />);
  await user.click(await screen.findByRole("button", { name: /^Move / }));
  const day = (await dialog()).getByLabelText<HTMLInputElement>("Day");
  expect(day.value).toBe("2026-12-02");
  await user.click((await dialog()).getByRole("button", { name: "Move" }));
  await waitFor(() => expect(calls.changeOccurrence).toHaveBeenCalledOnce());
  expect(calls.changeOccurrence.mock.calls[0]![0].body).toEqual({
    moved_to: { date: "2026-12-02", time: "03:00" },
  });
});

test("a past date gets a lesson as its recording", async () => {
  const { user } = show(<LiveTab />);
  await user.click(await screen.findByRole("button", { name: /^Add recording / }));
  await user.selectOptions(
    (await dialog()).getByLabelText("Lesson"),
    await screen.findByRole("option", { name: "Live: Recorded" }),
  );
  await user.click((await dialog()).getByRole("button", { name: "Save recording" }));
  await waitFor(() => expect(calls.changeOccurrence).toHaveBeenCalledWith({ params: { id: "p" }, body: { video_id: "v" } }));
});
