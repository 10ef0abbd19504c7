import { defineConfig } from "@playwright/test";

/** Debian's Chromium, told to leave the network alone. */
export default defineConfig({
  testDir: "tests/e2e",
  // Long enough for a busy machine; a wait ends as soon as its condition holds.
  timeout: 120_000,
  expect: { timeout: 30_000 },
  workers: 2,
  forbidOnly: Boolean(process.env["CI"]),
  reporter: process.env["PLAYWRIGHT_JSON_OUTPUT_FILE"] ? [["dot"], ["json"]] : "list",
  outputDir: ".cache/test-results/journeys",
  use: {
    // A trace slows every step; for one test: npx playwright test --trace=on tests/e2e/x.spec.ts
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
