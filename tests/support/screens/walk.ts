import { test, type Browser, type BrowserContext, type Page } from "@playwright/test";
import type { Course, Role } from "../sites/course.ts";
import type { Screen } from "./screen.ts";

/** Opens one screen after another and looks at each; those of one role share a window, each in a tab of its own, which keeps no quote of another. */
export async function walk(
  screens: Screen[],
  browser: Browser,
  course: Course,
  look: (page: Page, screen: Screen) => Promise<void>,
): Promise<void> {
  const windows = new Map<Role, BrowserContext>();
  for (const screen of screens) {
    await test.step(screen.name, async () => {
      const window = windows.get(screen.as) ?? (await course.windowOf(screen.as, browser));
      windows.set(screen.as, window);
      const page = await window.newPage();
      await screen.open(page, course);
      await look(page, screen);
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await window.setOffline(false);
      await page.close();
      if (screen.changesSession !== true) return;
      windows.delete(screen.as);
      await window.close();
    });
  }
  for (const window of windows.values()) await window.close();
}
