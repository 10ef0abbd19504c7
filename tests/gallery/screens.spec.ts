import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test as base } from "@playwright/test";
import { fillCourse, type Course } from "../support/sites/course.ts";
import { areas } from "../support/screens/areas.ts";
import { adminEmail, startSite } from "../support/sites/site.ts";

const project = join(import.meta.dirname, "../..");
const folder = join(project, "screenshots");
const sizes = [
  { width: 390, height: 844 },
  { width: 820, height: 1180 },
  { width: 1440, height: 900 },
];
const looks = sizes.flatMap((size) => (["light", "dark"] as const).map((colorScheme) => ({ ...size, colorScheme })));

const test = base.extend<object, { course: Course }>({
  course: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      const site = await startSite();
      try {
        const env = { ...process.env, NODE_ENV: "test", DATA_DIR: site.dataDir, ADMIN_EMAIL: adminEmail };
        spawnSync(process.execPath, [join(project, "dist/server/seed.js")], { cwd: project, stdio: "inherit", env });
        await use(await fillCourse(site, { hasFilms: true }));
      } finally {
        await site.stop();
      }
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

for (const [area, screens] of Object.entries(areas)) {
  for (const screen of screens) {
    test(screen.name, async ({ browser, course }) => {
      const context = await course.windowOf(screen.as, browser);
      const page = await context.newPage();
      await screen.open(page, course);
      await page.mouse.move(0, 0);
      const dialogs = await page.getByRole("alertdialog").count();
      for (const { colorScheme, ...size } of looks) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme });
        // One frame with the new width and colours, as before a look of axe.
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
        // What comes half a second later is on the picture too.
        if (size.width === 390) await page.waitForTimeout(600);
        const name = screen.name.replaceAll(/\W+/g, "-");
        // From the top, where the header belongs; a dialog covers what can be seen, not the whole page.
        await page.evaluate(() => scrollTo(0, 0));
        const path = join(folder, area, `${name}-${size.width}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: dialogs === 0 });
        await expect(page.getByRole("alertdialog")).toHaveCount(dialogs);
      }
      await context.close();
    });
  }
}
