import type { Page } from "@playwright/test";
import type { LiveOccurrence, LiveSession } from "../../../src/domain/api/course/live-sessions.ts";
import { errors } from "../../../src/domain/errors/messages.ts";
import type { Role } from "../sites/course.ts";
import { dialogOn, emptied, keepWaiting, refuse, seen, type Screen } from "./screen.ts";

const hour = 3600;
const weekSeconds = 7 * 24 * hour;

/** An occurrence that starts in so many seconds. */
function occurrence(index: number, seconds: number, given: Partial<LiveOccurrence> = {}): LiveOccurrence {
  const at = (more: number): string => new Date(Date.now() + (seconds + more) * 1000).toISOString();
  return {
    id: `00000000-0000-4000-8000-00000000010${index}`,
    session_id: "00000000-0000-4000-8000-000000000200",
    title: index % 2 === 0 ? "The week ahead" : "Trade review",
    description: "What moved the markets last week, the levels that matter now, and your questions.",
    starts_at: at(0),
    ends_at: at(1.5 * hour),
    join_opens_at: at(-hour / 4),
    weekly: true,
    time_zone: "Asia/Bangkok",
    moved: false,
    cancelled: false,
    included: true,
    recording: null,
    ...given,
  };
}

const later = (included: boolean): LiveOccurrence[] => [
  occurrence(1, 3 * 24 * hour, { included, moved: true }),
  occurrence(2, weekSeconds, { included, cancelled: true }),
  occurrence(3, weekSeconds + 3 * 24 * hour, { included }),
];
const recordings = (included: boolean): LiveOccurrence[] =>
  [1, 2].map((index) =>
    occurrence(index, -index * weekSeconds, {
      included,
      recording: {
        video_id: `00000000-0000-4000-8000-00000000030${index}`,
        title: index === 1 ? "Reading the week of EUR/USD with the order blocks of three sessions" : "Two trades",
        playable: included,
      },
    }),
  );

/** The server's lists of occurrences, as they are given. */
async function withOccurrences(page: Page, coming: LiveOccurrence[], past: LiveOccurrence[] = []): Promise<void> {
  await page.route("**/api/live-sessions/occurrences?*", (route) => {
    const isComing = new URL(route.request().url()).searchParams.get("when") === "coming";
    const now = new Date().toISOString();
    return route.fulfill({ json: { items: isComing ? coming : past, next_cursor: null, now } });
  });
}

const dashboard = (
  state: string,
  as: Role,
  next: (included: boolean) => LiveOccurrence[],
  then?: (page: Page) => Promise<void>,
) => ({
  name: `student, live session ${state}`,
  as,
  open: async (page: Page) => {
    const included = as === "advanced";
    await withOccurrences(page, [...next(included), ...later(included)], recordings(included));
    await page.goto("/student");
    await seen(page.getByRole("heading", { name: "Next live session" }));
    await then?.(page);
    // Where a click has scrolled to, the header may cover half of a link.
    await page.evaluate(() => scrollTo(0, 0));
  },
});

const join = (page: Page) => page.getByRole("button", { name: /^Join/ });

/** The dashboard's part about live sessions. */
export const liveScreens: Screen[] = [
  dashboard("in days", "advanced", (included) => [occurrence(0, 2.2 * 24 * hour, { included })]),
  dashboard("part of Advanced", "starter", (included) => [occurrence(0, 5 * hour, { included })]),
  dashboard("for the unpaid", "unpaid", (included) => [occurrence(0, 5 * hour, { included })]),
  dashboard(
    "open, calendar",
    "advanced",
    (included) => [occurrence(0, 0.2 * hour, { included })],
    async (page) => {
      await page.getByRole("button", { name: "Subscribe" }).click();
      await seen(page.getByRole("link", { name: "Open in calendar" }));
    },
  ),
  dashboard(
    "on now, not joined",
    "advanced",
    (included) => [occurrence(0, -0.2 * hour, { included })],
    async (page) => {
      await refuse(page, "**/api/live-sessions/occurrences/*/join", errors.live_session_closed.text, "live_session_closed");
      await join(page).click();
      await seen(page.getByRole("alert"));
    },
  ),
  dashboard(
    "new link",
    "advanced",
    (included) => [occurrence(0, 5 * hour, { included })],
    async (page) => {
      await page.getByRole("button", { name: "Subscribe" }).click();
      await page.getByRole("button", { name: "New link" }).click();
      await dialogOn(page);
    },
  ),
];

/** The list of sessions, whose first page has no query, and not that of occurrences. */
const sessionsCall = /\/api\/live-sessions(\?.*)?$/;

const session: LiveSession = {
  id: "00000000-0000-4000-8000-000000000200",
  title: "The week ahead",
  description: "What moved the markets last week, the levels that matter now, and your questions.",
  date: "2026-11-02",
  time: "19:00",
  time_zone: "Asia/Bangkok",
  duration_minutes: 90,
  weekly: true,
  ends_on: null,
  next_starts_at: "2026-11-30T12:00:00.000Z",
  join_url: `https://meet.example.com/${"a-long-name-of-a-room-".repeat(4)}`,
};

const tab = (state: string, then: (page: Page) => Promise<void> = async () => {}): Screen => ({
  name: `admin, live${state}`,
  as: "admin",
  open: async (page) => {
    const sessions = [session, { ...session, id: session.id.replace("200", "201"), title: "Trade review", weekly: false }];
    await page.route(sessionsCall, (route) => route.fulfill({ json: { items: sessions, next_cursor: "more" } }));
    await withOccurrences(
      page,
      [occurrence(0, -0.2 * hour), ...later(true)],
      [...recordings(true), occurrence(4, -3 * weekSeconds)],
    );
    await page.goto("/admin?tab=live");
    await seen(page.getByRole("heading", { name: "Coming" }));
    await then(page);
  },
});
const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole("button", { name }).first().click();
};
const asked = (name: string | RegExp) => async (page: Page) => {
  await press(name)(page);
  await dialogOn(page);
};

/** The admin's tab about live sessions. */
export const adminLiveScreens: Screen[] = [
  tab(""),
  tab(", planning one", press("Plan a live session")),
  tab(", a form with errors", async (page) => {
    await press("Plan a live session")(page);
    await press("Plan session")(page);
    await seen(page.getByRole("alert"));
  }),
  tab(", editing one", press("Edit The week ahead")),
  tab(", deleting one", asked("Delete The week ahead")),
  tab(", moving a date", asked(/^Move/)),
  tab(", cancelling a date", asked(/^Cancel/)),
  tab(", a recording", asked(/^Change recording/)),
  {
    name: "admin, live empty",
    as: "admin",
    open: async (page) => {
      await emptied(page, sessionsCall);
      await page.goto("/admin?tab=live");
      await seen(page.getByText("No live sessions yet"));
    },
  },
  {
    name: "admin, live not loaded",
    as: "admin",
    open: async (page) => {
      await refuse(page, sessionsCall);
      await page.goto("/admin?tab=live");
      await seen(page.getByText("The live sessions could not be loaded"));
    },
  },
  {
    name: "admin, live loading",
    as: "admin",
    open: async (page) => {
      await keepWaiting(page, sessionsCall);
      await page.goto("/admin?tab=live");
      await seen(page.getByRole("tab", { name: "Live", selected: true }));
    },
  },
];
