import { test, type Browser, type Page } from "@playwright/test";
import type { Course, Role } from "../sites/course.ts";
import type { Screen } from "./screen.ts";

/** Opens one screen after another and looks at each; those of one role share a window. */
export async function walk(
  screens: Screen[],
  browser: Browser,
  course: Course,
  look: (page: Page, screen: Screen) => Promise<void>,
): Promise<void> {
  const pages = new Map<Role, Page>();
  for (const screen of screens) {
    await test.step(screen.name, async () => {
      const page = pages.get(screen.as) ?? (await (await course.windowOf(screen.as, browser)).newPage());
      pages.set(screen.as, page);
      await screen.open(page, course);
      await look(page, screen);
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await page.context().setOffline(false);
      if (screen.changesSession !== true) return;
      pages.delete(screen.as);
      await page.context().close();
    });
  }
  for (const page of pages.values()) await page.context().close();
}
