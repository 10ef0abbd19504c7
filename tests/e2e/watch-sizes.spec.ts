import { expectControlsInReach, playNothingUntouched, prepareLessons } from "../support/browser/player.ts";
import { windowOf } from "../support/sites/members.ts";
import { expect, test } from "../support/sites/site.ts";

// WATCH-7
for (const [device, options, sizes] of [
  [
    "touch",
    { hasTouch: true, isMobile: true },
    ["844x390", "740x360", "667x375", "568x320", "320x256", "320x640", "360x740", "390x844", "820x1180"],
  ],
  ["desktop", {}, ["1440x900", "1024x600", "853x480", "720x450", "390x844", "320x256"]],
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
