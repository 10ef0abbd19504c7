import type { Page } from "@playwright/test";
import { expect, test } from "../support/sites/course.ts";
import { startReact } from "../support/browser/hydration.ts";

/** Whether the header, with what can be pressed in it, is wholly below the notice. */
async function expectHeaderInSight(page: Page): Promise<void> {
  const notice = page.getByRole("status").filter({ hasText: "You are offline." });
  await expect(notice).toBeInViewport();
  await expect
    .poll(async () => {
      const [above, below] = [await notice.boundingBox(), await page.getByRole("banner").boundingBox()];
      return above && below && above.y === 0 && Math.abs(below.y - (above.y + above.height)) < 1;
    })
    .toBe(true);
}

// KEYS-6
for (const width of [320, 390, 820, 1440]) {
  test(`offline, the notice hides nothing of the header at ${width} px`, async ({ browser, course }) => {
    for (const [who, path, last] of [
      ["visitor", "/", "Pricing"],
      ["starter", "/student", "Lessons"],
    ] as const) {
      const context = await course.windowOf(who, browser);
      const page = await context.newPage();
      await page.setViewportSize({ width, height: 800 });
      await page.goto(path);
      await expect(page.getByRole("heading", { name: last })).toBeVisible();
      await startReact(page);
      await context.setOffline(true);
      await expect(page.getByText("You are offline.")).toBeVisible();
      await page.evaluate(() => scrollTo({ top: 600, behavior: "instant" }));
      expect(await page.evaluate(() => scrollY)).toBeGreaterThan(300);
      await expectHeaderInSight(page);
      await context.close();
    }
  });
}

// KEYS-6
test("a page that was asked for offline opens once the connection is back", async ({ browser, course }) => {
  const context = await course.windowOf("starter", browser);
  const page = await context.newPage();
  await page.goto("/student");
  await expect(page.getByRole("heading", { name: "Lessons" })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole("link", { name: "Account" }).click();
  await expect(page.getByRole("heading", { name: "You are offline" })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Your account" })).toBeVisible();
  await context.close();
});
