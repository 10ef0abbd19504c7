import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { browserFlags, findBrowser } from "./scripts/browser.mjs";
import { forgetSettings } from "./scripts/forget-settings.mjs";

forgetSettings();

/** What cannot be asked of two processes behind nginx (`npm run journeys:two`), by what it is about. */
const ofOneProcess = {
  "an embedded database": ["start", "stop"],
  "a packed release, which starts itself": ["packed"],
  "a link that one process prints": ["mailbox"],
};

/** Single journeys that do not hold there: nginx itself replies to a broken percent sign, and a bucket sends no layout of FILE-16. */
const ofTheSiteItself = [
  /a path with a broken percent sign shows/,
  ...(process.env["JOURNEYS_ON"] === "s3" ? [/a film of hours plays in fragments/] : []),
];

/** Debian's Chromium, told to leave the network alone. */
export default defineConfig({
  testDir: "tests/e2e",
  testIgnore:
    process.env["JOURNEYS_ON"] === undefined
      ? []
      : Object.values(ofOneProcess).flatMap((names) => names.map((name) => `**/${name}.spec.ts`)),
  globalSetup: join(import.meta.dirname, "tests/support/setup/made-site.ts"),
  grepInvert: process.env["JOURNEYS_ON"] === undefined ? [] : ofTheSiteItself,
  // Long enough for a busy machine; a wait ends as soon as its condition holds.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  workers: 2,
  reporter: process.env["PLAYWRIGHT_JSON_OUTPUT_FILE"] ? [["dot"], ["json"]] : "list",
  outputDir: ".cache/test-results/journeys",
  use: {
    // A trace slows every step; for one test: npx playwright test --trace=on tests/e2e/x.spec.ts
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: findBrowser(),
      args: browserFlags,
    },
  },
});
