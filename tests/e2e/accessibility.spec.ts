import type { BrowserContext, Page } from "@playwright/test";
import { expectAccessible } from "../support/axe.ts";
import { test, type Role } from "../support/course.ts";
import { adminScreens } from "../support/screens/admin.ts";
import { authScreens } from "../support/screens/auth.ts";
import { openScreens } from "../support/screens/open.ts";
import { paymentScreens } from "../support/screens/payment.ts";
import type { Screen } from "../support/screens/screen.ts";
import { studentScreens } from "../support/screens/student.ts";

// The areas share out the workers; within one, a signed-in page is used again and again.
test.describe.configure({ mode: "parallel" });
// A trace keeps a copy of the page at every step, which takes longer than the looks themselves.
test.use({ trace: "off" });

// The longest first, so that no worker is left with it at the end.
const areas: Record<string, Screen[]> = {
  "the admin's tabs": adminScreens,
  "the payment page": paymentScreens,
  "the dashboard": studentScreens,
  "signing in and up": authScreens,
  "what everyone sees": openScreens,
};

for (const [area, screens] of Object.entries(areas)) {
  test(`axe finds nothing on ${area}`, async ({ browser, course }) => {
    test.setTimeout(240_000);
    const pages = new Map<Role, Page>();
    const contexts: BrowserContext[] = [];
    for (const screen of screens) {
      await test.step(screen.name, async () => {
        let page = pages.get(screen.as);
        if (!page) {
          const context = await course.windowOf(screen.as, browser);
          contexts.push(context);
          page = await context.newPage();
          pages.set(screen.as, page);
        }
        await screen.open(page, course);
        await expectAccessible(page, screen.name);
        await page.unrouteAll({ behavior: "ignoreErrors" });
        await page.context().setOffline(false);
      });
    }
    for (const context of contexts) await context.close();
  });
}
