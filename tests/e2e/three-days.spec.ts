import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BrowserContext, Page } from "@playwright/test";
import { expect, test } from "../support/browser/windows.ts";
import { playing, position } from "../support/browser/player.ts";
import { uploadFilm } from "../support/films/on-site.ts";
import { adminSessionOf, caller, joinSite, windowOf } from "../support/sites/members.ts";
import { startSite } from "../support/sites/site.ts";

const daySeconds = 24 * 3600;
const clock = pathToFileURL(join(import.meta.dirname, "../support/sites/moved-clock.mjs")).href;

// PATH-2, WATCH-3, LIVESESSION-3, NEWS-3
test("a student learns for three days, joins a live session and reads the news", async ({ browser }) => {
  const environment: Record<string, string> = { NODE_OPTIONS: `--import ${clock}`, CLOCK_AHEAD: "0" };
  const site = await startSite(environment);
  try {
    const add = async (title: string, order_index: number): Promise<void> => {
      const { access_token } = await adminSessionOf(site);
      const upload_id = await uploadFilm(site, access_token, "one-minute.mp4");
      const lesson = { title, order_index, upload_id, description: "D", module: "Forex Basics", package_type: "starter" };
      await caller(site, access_token)("POST", "/api/videos", lesson);
    };
    const asAdmin = async (method: string, path: string, body: unknown, headers = {}): Promise<any> =>
      caller(site, (await adminSessionOf(site)).access_token)(method, path, body, headers);
    await add("What a pip is", 1);
    await add("What a lot is", 2);
    const malee = await joinSite(site, "Malee Student", true);
    await asAdmin("PUT", "/functions/v1/admin-users", { userId: malee.session.user.id, newRole: "advanced" });
    const context = await windowOf(browser, site, malee.session);

    /** Moves the clocks of the site and of the browser some days ahead, and opens the dashboard as a returning student does. */
    const openDay = async (from: BrowserContext, days: number): Promise<[BrowserContext, Page]> => {
      const storageState = await from.storageState();
      await from.close();
      await site.end();
      environment["CLOCK_AHEAD"] = String(days * daySeconds);
      await site.start();
      const window = await browser.newContext({ baseURL: site.url, storageState });
      await window.clock.install({ time: Date.now() + days * daySeconds * 1000 });
      const page = await window.newPage();
      await page.goto("/student");
      return [window, page];
    };
    const next = (page: Page) => page.getByRole("region", { name: /^(Start lesson|Continue)/ });
    /** Presses the button of the next lesson, which opens the player in a tab of its own. */
    const goOn = async (page: Page): Promise<Page> => {
      const opened = page.waitForEvent("popup");
      await next(page).getByRole("button").click();
      const player = await opened;
      await playing(player);
      return player;
    };

    await test.step("day 1: lesson one is begun and left in the middle", async () => {
      const page = await context.newPage();
      await page.goto("/student");
      await expect(next(page)).toContainText("Start lesson one: What a pip is");
      const player = await goOn(page);
      await player.keyboard.press("5");
      await player.keyboard.press("k");
      await expect(next(page)).toContainText("Continue: What a pip is");
      await expect
        .poll(async () => (await malee.call("GET", "/api/videos")).items[0].progress.position_seconds)
        .toBeGreaterThan(29);
    });

    const [secondDay, page2] = await openDay(context, 1);
    await test.step("day 2: it goes on where it was left, is done, and the next one is proposed", async () => {
      await expect(next(page2)).toContainText("Continue: What a pip is");
      await expect(next(page2)).toContainText(/(2\d|30) s left/);
      const player = await goOn(page2);
      await expect(player.getByText("where you left it")).toBeVisible();
      expect(await position(player)).toBeGreaterThan(28);
      await player.getByRole("button", { name: "Mark as done" }).click();
      await expect(next(page2)).toContainText("Continue: What a lot is");
      await expect(page2.getByText("1 of 2 done")).toBeVisible();
    });

    const [, page3] = await openDay(secondDay, 2);
    await test.step("day 3: an announcement is read, and the live session is joined", async () => {
      await expect(next(page3)).toContainText("Continue: What a lot is");
      await asAdmin(
        "POST",
        "/api/news",
        { title: "Tonight we trade live", text: "Bring a question.", audience: "advanced" },
        {
          "idempotency-key": "three-days",
        },
      );
      const announcement = page3.getByRole("article", { name: "Tonight we trade live" });
      await expect(announcement).toContainText("Bring a question.");
      await announcement.getByRole("button", { name: "Mark as read" }).click();
      await expect(announcement).toBeHidden();
      const soon = new Date(Date.now() + 2 * daySeconds * 1000 + 10 * 60_000).toISOString();
      await asAdmin("POST", "/api/live-sessions", {
        title: "London open",
        description: "We read the first hour.",
        join_url: `https://meet.example.com/london`,
        date: soon.slice(0, 10),
        time: soon.slice(11, 16),
        time_zone: "UTC",
        duration_minutes: 60,
        weekly: false,
      });
      const live = page3.getByRole("region", { name: "Next live session" });
      await expect(live).toContainText("London open");
      await page3.context().route("https://meet.example.com/**", (route) => route.fulfill({ body: "You are in." }));
      const opened = page3.waitForEvent("popup");
      await live.getByRole("button", { name: "Join" }).click();
      await expect((await opened).getByText("You are in.")).toBeVisible();
    });
  } finally {
    await site.stop();
  }
});
