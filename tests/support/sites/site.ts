import { test as base } from "../browser/windows.ts";
import { login } from "../browser/login.ts";
import { startSite, type Site } from "./site-process.ts";

export { adminEmail, adminPassword, mailboxPath, startSite, type Site } from "./site-process.ts";

/** The address that a screenshot opens at: the site's, or that of the store it is led to (FILE-19). */
export const storedScreenshot =
  process.env["JOURNEYS_ON"] === "s3" ? /[?&]X-Amz-Signature=/ : /\/storage\/v1\/object\/sign\/payment-screenshots\//;

/** A journey gets a running site, shared by the journeys of one worker, and `login`, which signs in through the form. */
export const test = base.extend<{ login: typeof login }, { site: Site }>({
  site: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      const site = await startSite();
      await use(site);
      await site.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  login: async ({}, use) => use(login),
  baseURL: async ({ site }, use) => use(site.url),
});

export { expect } from "@playwright/test";
