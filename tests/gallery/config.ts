import { defineConfig } from "@playwright/test";
import journeys from "../../playwright.config.ts";

/** `npm run screenshots`: pictures to look at, not a test. */
export default defineConfig({
  ...journeys,
  testDir: ".",
  outputDir: "../../.cache/test-results/gallery",
  timeout: 300_000,
  fullyParallel: true,
  use: { ...journeys.use, trace: "off", screenshot: "off" },
});
