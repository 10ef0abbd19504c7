// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { LiveOccurrence } from "#domain/api/course/live-sessions";
import { ProductError } from "#domain/errors/messages";
import { show } from "../../../../tests/support/render.tsx";
import { translateTexts } from "../../../../tests/support/translate-texts.ts";
import { api } from "../../platform/api.ts";
import { dayAndTime, timeOfDay } from "../../platform/format.ts";
import { openInNewTab } from "../../platform/new-tab.ts";
import { queryClient } from "../../platform/query/query-client.ts";
import { LiveSessions } from "./live-sessions.tsx";
import { liveSessionsKey } from "./queries.ts";
import { ownTimeZone, timeZoneName } from "./time-zones.ts";

vi.mock("../../platform/new-tab.ts", () => ({ openInNewTab: vi.fn<() => Promise<void>>() }));
vi.mock("../../platform/api.ts", () => ({
  api: {
    liveSessions: {
      occurrences: vi.fn<() => unknown>(),
      calendarLink: vi.fn<() => unknown>(),
    },
    mailChoices: { get: () => Promise.resolve({ news: true, live_session_reminder: true }) },
  },
}));
const calls = vi.mocked(api.liveSessions);

const now = Date.parse("2026-11-24T10:00:00Z");
beforeEach(() => {
  vi.useFakeTimers({ now, shouldAdvanceTime: true });
  calls.occurrences.mockReset();
  calls.calendarLink.mockReset().mockResolvedValue({ url: "https://course.example/api/live-sessions.ics?token=t" });
  vi.mocked(openInNewTab).mockReset().mockResolvedValue();
});
afterEach(() => {
  vi.useRealTimers();
  clockLead = 0;
});

function occurrence(id: string, minutes: number, given: Partial<LiveOccurrence> = {}): LiveOccurrence {
  const at = (more: number): string => new Date(now + (minutes + more) * 60_000).toISOString();
  return {
    id,
    session_id: "s",
    title: `Session ${id}`,
    description: "About the week.",
    starts_at: at(0),
    ends_at: at(60),
    join_opens_at: at(-15),
    weekly: true,
    time_zone: "UTC",
    moved: false,
    cancelled: false,
    included: true,
    recording: null,
    ...given,
  };
}

/** How far this browser's clock is ahead of the server's, in milliseconds. */
let clockLead = 0;
const page = (items: LiveOccurrence[], next_cursor: string | null = null) =>
  Promise.resolve({ items, next_cursor, now: new Date(Date.now() - clockLead).toISOString() });

const given = (coming: LiveOccurrence[], recorded: LiveOccurrence[] = []): void => {
  calls.occurrences.mockImplementation(({ when } = {}) => page(when === "recorded" ? recorded : coming));
};
const joinButton = () => screen.findByRole<HTMLButtonElement>("button", { name: /^Join/ });

// LIVESESSION-8
describe("the live sessions of the dashboard", () => {
  test("names the zone of its times, also after the device's zone has changed", async () => {
    const zone = ownTimeZone();
    given([occurrence("a", 60)]);
    vi.stubEnv("TZ", "Pacific/Chatham");
    show(<LiveSessions hasAskedForAdvanced={false} />);
    expect(await screen.findByText(`in your time, ${timeZoneName(zone)}`)).toBeDefined();
    vi.unstubAllEnvs();
  });

  test("the button to join is enabled by itself 15 minutes before the start", async () => {
    given([occurrence("a", 16)]);
    const { user } = show(<LiveSessions hasAskedForAdvanced={false} />);
    expect((await joinButton()).disabled).toBe(true);
    expect(screen.getByRole("timer").textContent).toMatch(/^Starts in1[56]:\d\d$/);
    await act(() => vi.advanceTimersByTimeAsync(61_000));
    expect((await joinButton()).disabled).toBe(false);
    await user.click(await joinButton());
    expect(openInNewTab).toHaveBeenCalledOnce();
  });

  test.each([
    ["behind", -3],
    ["ahead", 3],
  ])("a clock that is hours %s joins, counts down and ends at the right time", async (_, hours) => {
    clockLead = hours * 3_600_000;
    vi.setSystemTime(now + clockLead);
    given([occurrence("a", -5), occurrence("b", 16)]);
    const { user } = show(<LiveSessions hasAskedForAdvanced={false} />);
    expect((await joinButton()).disabled).toBe(false);
    expect(screen.getByRole("timer").textContent).toContain("Live now");
    expect(screen.queryByRole("button", { name: /^Join.*Session b/ })).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(62_000));
    await user.click(screen.getByRole("button", { name: /^Join.*Session b/ }));
    expect(openInNewTab).toHaveBeenCalledOnce();
    await act(() => vi.advanceTimersByTimeAsync(55 * 60_000));
    expect(await screen.findByRole("heading", { name: "Session b" })).toBeDefined();
    expect(screen.queryByText("Session a")).toBeNull();
  });

  test.each([
    ["ahead", 1],
    ["behind", -1],
  ])("a clock that was an hour %s is set right, and joins at the right time", async (_, hours) => {
    clockLead = hours * 3_600_000;
    vi.setSystemTime(now + clockLead);
    given([occurrence("a", 16)]);
    show(<LiveSessions hasAskedForAdvanced={false} />);
    expect((await joinButton()).disabled).toBe(true);
    vi.setSystemTime(Date.now() - clockLead);
    clockLead = 0;
    await act(() => vi.advanceTimersByTimeAsync(2000));
    expect((await joinButton()).disabled).toBe(true);
    expect(screen.getByRole("timer").textContent).toMatch(/^Starts in1[56]:\d\d$/);
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect((await joinButton()).disabled).toBe(false);
    expect(calls.occurrences).toHaveBeenCalledTimes(3);
  });

  // TEXT-3
  test("a moved session has its new times on a page that the browser translates", async () => {
    given([occurrence("a", 60)]);
    const { container } = show(<LiveSessions hasAskedForAdvanced={false} />);
    await joinButton();
    translateTexts(container);
    const moved = occurrence("a", 120);
    given([moved]);
    await act(() => queryClient.invalidateQueries({ queryKey: liveSessionsKey }));
    expect(await screen.findByText(`${dayAndTime(moved.starts_at)} to ${timeOfDay(moved.ends_at)}`)).toBeDefined();
    expect(screen.getByText(`Opens 15 minutes before, at ${timeOfDay(moved.join_opens_at)}.`)).toBeDefined();
  });

  test("a running session is marked, and the next one follows when it ends", async () => {
    given([occurrence("a", -59), occurrence("b", 600)]);
    show(<LiveSessions hasAskedForAdvanced={false} />);
    expect(await screen.findByRole("heading", { name: "Session a" })).toBeDefined();
    expect(screen.getByRole("timer").textContent).toContain("Live now");
    await act(() => vi.advanceTimersByTimeAsync(61_000));
    expect(await screen.findByRole("heading", { name: "Session b" })).toBeDefined();
    expect(screen.queryByText("Session a")).toBeNull();
  });

  test("every session that has ended while the page was open leaves it", async () => {
    given([occurrence("a", -59), occurrence("b", 10), occurrence("c", -50, { cancelled: true }), occurrence("d", 600)]);
    show(<LiveSessions hasAskedForAdvanced={false} />);
    expect(await screen.findByRole("heading", { name: "Session a" })).toBeDefined();
    await act(() => vi.advanceTimersByTimeAsync(70 * 60_000));
    expect(screen.getByRole("heading", { name: "Session d" })).toBeDefined();
    expect(screen.queryByText(/Session [abc]/)).toBeNull();
  });

  test("a cancelled session is skipped, and stays in the list as cancelled", async () => {
    given([occurrence("a", 60, { cancelled: true }), occurrence("b", 600)]);
    show(<LiveSessions hasAskedForAdvanced={false} />);
    expect(await screen.findByRole("heading", { name: "Session b" })).toBeDefined();
    expect(screen.getByRole("listitem").textContent).toContain("Session aCancelled");
  });

  test("the next session is found behind a whole page of cancelled ones", async () => {
    const cancelled = [1, 2, 3, 4, 5, 6].map((hours) => occurrence(`c${hours}`, 60 * hours, { cancelled: true }));
    calls.occurrences.mockImplementation(({ when, cursor } = {}) =>
      when === "recorded" ? page([]) : cursor === "second" ? page([occurrence("a", 600)], "third") : page(cancelled, "second"),
    );
    show(<LiveSessions hasAskedForAdvanced={false} />);
    expect(await screen.findByRole("heading", { name: "Session a" })).toBeDefined();
    expect(screen.getAllByText("Cancelled")).toHaveLength(6);
    expect(calls.occurrences).not.toHaveBeenCalledWith(expect.objectContaining({ cursor: "third" }));
  });

  test("the next session is found when the last one known ends in a break", async () => {
    const cancelled = [1, 2, 3, 4, 5].map((days) => occurrence(`c${days}`, 1440 * days, { cancelled: true }));
    const running = Date.parse(occurrence("a", -59).ends_at);
    calls.occurrences.mockImplementation(({ when, cursor } = {}) => {
      if (when === "recorded") return page([]);
      if (cursor === "second") return page([occurrence("b", 1440 * 6)]);
      return page([...(Date.now() < running ? [occurrence("a", -59)] : []), ...cancelled], "second");
    });
    show(<LiveSessions hasAskedForAdvanced={false} />);
    expect(await screen.findByRole("heading", { name: "Session a" })).toBeDefined();
    expect(calls.occurrences).toHaveBeenCalledTimes(2);
    await act(() => vi.advanceTimersByTimeAsync(62_000));
    expect(await screen.findByRole("heading", { name: "Session b" })).toBeDefined();
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(calls.occurrences).toHaveBeenCalledTimes(4);
  });

  test("a session that overlaps the next one can be joined too", async () => {
    given([
      occurrence("a", -30),
      occurrence("b", 16),
      occurrence("c", 10, { cancelled: true }),
      occurrence("d", 10, { included: false }),
    ]);
    const { user } = show(<LiveSessions hasAskedForAdvanced={false} />);
    expect(await joinButton()).toBeDefined();
    expect(screen.queryByRole("button", { name: /^Join.*Session [bcd]/ })).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(61_000));
    expect(screen.queryByRole("button", { name: /^Join.*Session [cd]/ })).toBeNull();
    await user.click(screen.getByRole("button", { name: /^Join.*Session b/ }));
    expect(openInNewTab).toHaveBeenCalledOnce();
  });

  test("other students see the times and the way to Advanced, but no link or calendar", async () => {
    given([occurrence("a", 5, { included: false })]);
    show(<LiveSessions hasAskedForAdvanced={false} />);
    expect((await screen.findByRole("link", { name: "Get Advanced" })).getAttribute("href")).toBe("/payment?package=advanced");
    expect(screen.queryByRole("button", { name: /Join|Subscribe/ })).toBeNull();
    expect(calls.calendarLink).not.toHaveBeenCalled();
  });

  test("who has asked for Advanced is not offered it again", async () => {
    given([occurrence("a", 5, { included: false })]);
    show(<LiveSessions hasAskedForAdvanced />);
    expect(await screen.findByText("Live sessions are part of Advanced.")).toBeDefined();
    expect(screen.queryByRole("link", { name: "Get Advanced" })).toBeNull();
  });

  test("the reason why joining failed is displayed", async () => {
    given([occurrence("a", 5)]);
    vi.mocked(openInNewTab).mockRejectedValue(new ProductError("live_session_closed"));
    const { user } = show(<LiveSessions hasAskedForAdvanced={false} />);
    await user.click(await joinButton());
    expect((await screen.findByRole("alert")).textContent).toContain("from 15 minutes before");
  });

  test("nothing is displayed while no session is planned or recorded", async () => {
    given([]);
    const { container } = show(<LiveSessions hasAskedForAdvanced={false} />);
    await waitFor(() => expect(calls.occurrences).toHaveBeenCalledTimes(2));
    expect(container.textContent).toBe("");
  });

  test("recordings link to their lessons, and those of another package are locked", async () => {
    const recording = { video_id: "v", title: "The recording", playable: true };
    given([], [occurrence("a", -600, { recording }), occurrence("b", -900, { recording: { ...recording, playable: false } })]);
    show(<LiveSessions hasAskedForAdvanced={false} />);
    expect((await screen.findByRole("link", { name: /^The recording/ })).getAttribute("href")).toBe("/watch/v");
    expect(screen.getByText(/not part of your package/)).toBeDefined();
  });
});
