// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Video } from "#domain/api/course/videos";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { pathOf } from "#domain/watch/path";
import { show } from "../../../../tests/support/render.tsx";
import { translateTexts } from "../../../../tests/support/translate-texts.ts";
import { api } from "../../platform/api.ts";
import { openInNewTab } from "../../platform/new-tab.ts";
import { Lessons } from "./lessons.tsx";
import { NextLesson } from "./next-lesson.tsx";

vi.mock("../../platform/new-tab.ts", () => ({ openInNewTab: vi.fn<() => Promise<void>>() }));
vi.mock("../../platform/api.ts", () => ({
  api: { videos: { play: vi.fn<() => unknown>(), saveProgress: vi.fn<() => unknown>() } },
}));
const saveProgress = vi.mocked(api.videos.saveProgress);
beforeEach(() => {
  vi.mocked(openInNewTab).mockReset().mockResolvedValue();
  saveProgress.mockReset().mockResolvedValue({ position_seconds: 0, done: false });
});

const watched = (position_seconds: number, watched_at = "2026-11-22T08:00:00.000Z") => ({
  progress: { position_seconds, done: false, watched_at },
});
const done = { progress: { position_seconds: 600, done: true, watched_at: "2026-11-21T08:00:00.000Z" } };
const locked = { playable: false };
const video = (id: string, more: Partial<Video> = {}): Video => ({
  id,
  title: `Lesson ${id}`,
  description: "What it shows.",
  module: "Forex Basics",
  module_order: null,
  order_index: 1,
  package_type: "starter",
  source: "upload",
  playable: true,
  duration_seconds: 600,
  progress: null,
  poster_url: null,
  captions: [],
  attachments: [],
  ...more,
});
const showNext = (...videos: Video[]): string => show(<NextLesson path={pathOf(videos)} />).container.textContent;

// PATH-2
test.each<[string, Video[], string]>([
  ["Start lesson one", [video("a"), video("b")], "Forex Basics, lesson 1Start lesson one: Lesson aStart"],
  [
    "Start lesson 2 where the first is locked",
    [video("a", locked), video("b")],
    "Forex Basics, lesson 2Start lesson 2: Lesson bStart",
  ],
  [
    "Continue with what is left of a begun one",
    [video("a", watched(120))],
    "Forex Basics, lesson 1Continue: Lesson a8 min leftContinue",
  ],
  [
    "Continue with the next after a done one",
    [video("a", done), video("b")],
    "Forex Basics, lesson 2Continue: Lesson bContinue",
  ],
  [
    "Continue without a bar where the length is unknown",
    [video("a", { ...watched(1), duration_seconds: null })],
    "Forex Basics, lesson 1Continue: Lesson aContinue",
  ],
])("the dashboard opens with: %s", (_what, videos, text) => expect(showNext(...videos)).toBe(text));

test("the dashboard says calmly that every lesson is done", () => {
  expect(showNext(video("a", done), video("b", locked))).toContain("You have done every lesson that is open to you.");
  expect(screen.queryByRole("button")).toBeNull();
});

test("the dashboard proposes nothing where nothing may be played", () => {
  expect(showNext(video("a", locked))).toBe("");
});

test("the reason why a film does not open is displayed beside the button", async () => {
  vi.mocked(openInNewTab).mockRejectedValue(new Error("blocked"));
  const { user } = show(<NextLesson path={pathOf([video("a")])} />);
  await user.click(screen.getByRole("button", { name: "Start" }));
  expect(await screen.findByText(/unexpected error/)).toBeDefined();
});

const sections = (): (string | null)[] =>
  screen.getAllByRole("heading", { level: 3 }).map((heading) => heading.parentElement?.textContent ?? null);

// TEXT-3
test("a lesson begun elsewhere is up to date on a page that the browser translates", () => {
  const next = (more: Partial<Video>): ReactNode => <NextLesson path={pathOf([video("a", more)])} />;
  const { container, rerender } = show(next({}));
  translateTexts(container);
  rerender(next(watched(120)));
  expect(container.textContent).toBe("Forex Basics, lesson 1Continue: Lesson a8 min leftContinue");
  translateTexts(container);
  rerender(next({ ...watched(240), module: "Elliott Wave" }));
  expect(container.textContent).toBe("Elliott Wave, lesson 1Continue: Lesson a6 min leftContinue");
});

// PATH-3
test("modules are sections in the seller's order, with the lessons that are done", async () => {
  const waves = { module: "Elliott Wave", module_order: 2 };
  const path = pathOf([
    video("w", { ...waves, ...locked }),
    video("a", { module_order: 1, ...done }),
    video("b", { module_order: 1, ...watched(480) }),
    video("c", { module_order: 1, ...locked }),
  ]);
  const { user } = show(<Lessons path={path} requests={[]} />);
  expect(sections()).toEqual(["Forex Basics1 of 2 done", "Elliott Wave"]);
  expect(screen.getByRole<HTMLProgressElement>("progressbar", { name: "Done of Forex Basics" }).value).toBe(50);
  const card = (title: string): string | null => screen.getByRole("article", { name: title }).textContent;
  expect(card("Lesson a")).toContain("Lesson 1Done");
  expect(card("Lesson b")).toContain("2 min left");
  expect(card("Lesson c")).toContain("Lesson 3");
  expect(card("Lesson w")).toContain("Lesson 4");
  expect(card("Lesson w")).toContain("Purchase Required");
  await user.click(screen.getByRole("button", { name: "Elliott Wave" }));
  expect(sections()).toEqual(["Elliott Wave"]);
  const filters = within(screen.getByRole("group", { name: "Filter by module" })).getAllByRole("button");
  expect(filters.map(({ textContent }) => textContent)).toEqual(["All Modules", "Forex Basics", "Elliott Wave"]);
});

// VIDEO-5
test("a locked lesson leads to the cheapest package that opens it", () => {
  show(<Lessons path={pathOf([video("a", locked), video("b", { ...locked, package_type: "advanced" })])} requests={[]} />);
  const links = screen.getAllByRole("link", { name: "Purchase Required" });
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["/payment?package=starter", "/payment?package=advanced"]);
});

test("a locked lesson leads to the pending request that includes it", () => {
  const path = pathOf([video("a", locked), video("b", { ...locked, package_type: "advanced" })]);
  const pending = { package_type: "advanced", status: "pending", rest: null } as PaymentRequest;
  const rest = {} as NonNullable<PaymentRequest["rest"]>;
  const linksWith = (requests: PaymentRequest[]) => {
    const { unmount } = show(<Lessons path={path} requests={requests} />);
    const links = screen.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")]);
    unmount();
    return links;
  };
  const advanced = "/payment?package=advanced";
  expect(linksWith([pending])).toEqual([
    ["Waiting for approval", advanced],
    ["Waiting for approval", advanced],
  ]);
  expect(linksWith([{ ...pending, rest }])).toEqual([
    ["Rest to pay", advanced],
    ["Rest to pay", advanced],
  ]);
  expect(linksWith([{ ...pending, package_type: "starter" }])).toEqual([
    ["Waiting for approval", "/payment?package=starter"],
    ["Purchase Required", advanced],
  ]);
  expect(linksWith([{ ...pending, status: "rejected" }])[0]).toEqual(["Purchase Required", "/payment?package=starter"]);
});

// TEXT-3
test("a locked lesson has the new state of its request on a translated page", () => {
  const withRequests = (...requests: PaymentRequest[]): ReactNode => (
    <Lessons path={pathOf([video("a", locked)])} requests={requests} />
  );
  const { container, rerender } = show(withRequests());
  translateTexts(container);
  rerender(withRequests({ package_type: "starter", status: "pending", rest: null } as PaymentRequest));
  expect(screen.getByRole("link").textContent).toBe("Waiting for approval");
});

// PATH-4, KEYS-3
test("a lesson at an outside address begins when it is opened, and is done by hand", async () => {
  const outside = { source: "url", duration_seconds: null } as const;
  const { user, rerender } = show(<Lessons path={pathOf([video("a", outside)])} requests={[]} />);
  expect(screen.queryByRole("button", { name: /Mark as/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Watch Now" }));
  const nowhere = { position_seconds: 0, duration_seconds: 0 };
  await waitFor(() => expect(saveProgress.mock.lastCall).toEqual([{ params: { id: "a" }, body: nowhere }]));
  rerender(<Lessons path={pathOf([video("a", { ...outside, ...watched(0) })])} requests={[]} />);
  await user.click(screen.getByRole("button", { name: "Mark as done Lesson a" }));
  expect(saveProgress.mock.lastCall).toEqual([{ params: { id: "a" }, body: { ...nowhere, done: true } }]);
  rerender(<Lessons path={pathOf([video("a", { ...outside, ...done })])} requests={[]} />);
  await user.click(screen.getByRole("button", { name: "Mark as not done Lesson a" }));
  expect(saveProgress.mock.lastCall?.[0].body.done).toBe(false);
});

test("an uploaded lesson has no button to mark it as done", async () => {
  const { user } = show(<Lessons path={pathOf([video("a", watched(1))])} requests={[]} />);
  await user.click(screen.getByRole("button", { name: "Watch Now" }));
  await waitFor(() => expect(openInNewTab).toHaveBeenCalled());
  expect(saveProgress).not.toHaveBeenCalled();
  expect(screen.queryByRole("button", { name: /Mark as/ })).toBeNull();
});
