import type { Page } from "@playwright/test";
import {
  expectControlsInReach,
  expectInReach,
  film,
  playing,
  playNothingUntouched,
  prepareLessons,
} from "../support/browser/player.ts";
import { windowOf } from "../support/sites/members.ts";
import { expect, test } from "../support/sites/site.ts";

/** As a reader's own setting of the browser does. */
const setTextSize = (page: Page, size: string): Promise<void> =>
  page.evaluate((fontSize) => void (document.documentElement.style.fontSize = fontSize), size);

// WATCH-7
for (const [device, options, sizes] of [
  [
    "touch",
    { hasTouch: true, isMobile: true },
    ["844x390", "740x360", "667x375", "568x320", "320x256", "320x200", "320x640", "360x740", "390x844", "820x1180"],
  ],
  ["desktop", {}, ["1440x900", "1024x600", "853x480", "720x450", "390x844", "320x256", "320x200"]],
] as const) {
  test(`every control of the player is in reach at any size of a ${device} screen`, async ({ browser, site }) => {
    const { student, first } = await prepareLessons(site);
    const context = await windowOf(browser, site, student.session, options);
    // The large play button is over the film then.
    await playNothingUntouched(context);
    const page = await context.newPage();
    await page.goto(`/watch/${first.id}`);
    await expect(page.getByLabel("Captions")).toBeVisible();
    for (const size of sizes) {
      await test.step(size, async () => {
        const [width = 0, height = 0] = size.split("x").map(Number);
        await page.setViewportSize({ width, height });
        await page.evaluate(() => scrollTo(0, 0));
        await expectControlsInReach(page);
      });
    }
    await context.close();
  });
}

// WATCH-7
test("keys that are turned off can be turned on again at any width of the player", async ({ browser, site }) => {
  const { student, first } = await prepareLessons(site);
  const context = await windowOf(browser, site, student.session);
  await playNothingUntouched(context);
  const page = await context.newPage();
  await page.goto(`/watch/${first.id}`);
  await expect(page.getByLabel("Captions")).toBeVisible();
  await page.keyboard.press("?");
  await page.getByLabel("Use these keys").uncheck();
  await page.keyboard.press("Escape");
  const help = page.getByRole("button", { name: "Keyboard shortcuts" });
  for (const [width, height] of [
    [1024, 768],
    [400, 800],
    [390, 844],
    [360, 740],
    [320, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.evaluate(() => scrollTo(0, 0));
    await expect(help).toBeVisible();
    await expectControlsInReach(page);
  }
  await help.click();
  await page.getByLabel("Use these keys").check();
  await page.keyboard.press("Escape");
  await expect(help).toBeFocused();
  // The page hears a moment later that the browser has closed it.
  await expect(page.locator("dialog")).toHaveCount(0);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await context.close();
});

// WATCH-7
test("every control of the player is in reach with large text on a low screen", async ({ browser, site }) => {
  const { student, first } = await prepareLessons(site);
  const context = await windowOf(browser, site, student.session);
  await playNothingUntouched(context);
  const page = await context.newPage();
  await page.goto(`/watch/${first.id}`);
  await expect(page.getByLabel("Captions")).toBeVisible();
  await setTextSize(page, "200%");
  for (const [width, height] of [
    [640, 360],
    [720, 450],
  ] as const) {
    await page.setViewportSize({ width, height });
    // The film begins below the window, whose header is as large.
    await page.locator("[data-stage]").evaluate((stage) => stage.scrollIntoView({ block: "end" }));
    await expectControlsInReach(page);
  }
  await context.close();
});

// WATCH-4
test("the end of a film has its buttons in reach below a long title", async ({ browser, site }) => {
  const { asAdmin, student, first, second } = await prepareLessons(site);
  const title = "How the size of a lot follows from the stop, ".repeat(4).trim();
  await asAdmin("PATCH", `/api/videos/${second.id}`, { title });
  const context = await windowOf(browser, site, student.session, { viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(`/watch/${first.id}`);
  await setTextSize(page, "200%");
  await playing(page);
  await film(page).evaluate((video: HTMLVideoElement) => (video.currentTime = video.duration - 1));
  for (const name of ["Go on", "Watch again"]) await expect(page.getByRole("button", { name })).toBeInViewport({ ratio: 0.9 });
  await setTextSize(page, "");
  for (const size of ["320x568", "320x640", "568x320", "844x390", "390x844", "1440x900"]) {
    await test.step(size, async () => {
      const [width = 0, height = 0] = size.split("x").map(Number);
      await page.setViewportSize({ width, height });
      await page.evaluate(() => scrollTo(0, 0));
      await expectInReach(page, "[role=status] button");
    });
  }
  await context.close();
});
