import { test as base } from "@playwright/test";

/** Closes the windows that a test has opened with `browser.newContext`, which Playwright closes with the browser alone: they would go on asking their site. */
export const test = base.extend<{ closesWindows: undefined }>({
  closesWindows: [
    async ({ browser }, use) => {
      await use(undefined);
      for (const context of browser.contexts()) {
        // A route may still wait for a reply.
        for (const part of [...context.pages(), context]) await part.unrouteAll({ behavior: "ignoreErrors" });
        await context.close();
      }
    },
    { auto: true },
  ],
});

export { expect } from "@playwright/test";
