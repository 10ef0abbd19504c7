import { test, type Browser, type BrowserContext, type Page } from "@playwright/test";
import { wideScreen } from "../browser/axe.ts";
import type { Course, Role } from "../sites/course.ts";
import type { Screen } from "./screen.ts";

/** Opens one screen after another and looks at each; those of one role share a tab, since a new one compiles the site anew. */
export async function walk(
  screens: Screen[],
  browser: Browser,
  course: Course,
  look: (page: Page, screen: Screen) => Promise<void>,
): Promise<void> {
  const tabs = new Map<Role, Page>();
  for (const screen of screens) {
    await test.step(screen.name, async () => {
      const page = tabs.get(screen.as) ?? (await openTab(await course.windowOf(screen.as, browser)));
      tabs.set(screen.as, page);
      await screen.open(page, course);
      await look(page, screen);
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await page.context().setOffline(false);
      if (screen.changesSession !== true) return emptyTab(page);
      tabs.delete(screen.as);
      await page.context().close();
    });
  }
  for (const page of tabs.values()) await page.context().close();
}

async function openTab(window: BrowserContext): Promise<Page> {
  const page = await window.newPage();
  await page.setViewportSize(wideScreen);
  return page;
}

/** Leaves the page and forgets what the tab has kept, as its quotes. */
async function emptyTab(page: Page): Promise<void> {
  await page.goto("/favicon.svg");
  await page.evaluate(() => sessionStorage.clear());
  await page.setViewportSize(wideScreen);
}
