import type { Page } from "@playwright/test";
import type { DayRevenue, Setup, Stats } from "../../../src/domain/api/overview.ts";
import { setupSteps } from "../../../src/domain/api/overview.ts";
import { adminScreen } from "./admin-screen.ts";
import { dialogOn, seen, type Screen } from "./screen.ts";

const dayAgo = (days: number): string => new Date(Date.UTC(2026, 10, 24 - days)).toISOString().slice(0, 10);
const usd = { starter: ["497", "248.5"], advanced: ["997", "299.1"] };

/** Sales that come and go like those of a real shop, the same every time. */
const revenue = Array.from({ length: 90 }, (_, index) => 89 - index).flatMap((days): DayRevenue[] =>
  (["bitcoin", "ethereum", "thai_bank"] as const).flatMap((crypto_type, method) => {
    const dice = (days * 7 + method * 5 + days ** 2) % 11;
    if (dice > 5) return [];
    const package_type = dice % 2 === 0 ? "starter" : "advanced";
    const amount_usd = usd[package_type][dice % 3 === 0 ? 1 : 0]!;
    return [{ day: dayAgo(days), crypto_type, package_type, approved: 1, amount_usd }];
  }),
);

const stats: Stats = {
  pending: { requests: 12, flagged: 2, oldest_at: new Date(Date.now() - 5 * 3600 * 1000).toISOString() },
  typical_approval_seconds: 5400,
  from: dayAgo(89),
  to: dayAgo(0),
  revenue,
  revenue_usd: "68421.7",
  all_time: { approved: 412, revenue_usd: "231094.299999999999" },
  students: { unpaid: 1204, starter: 178, advanced: 234 },
  conversion: { signed_up: 640, verified: 588, submitted: 171, approved: 149 },
  prices_updated_at: { bitcoin: "2026-11-24T08:00:00.000Z", ethereum: null },
  mails: { failed: 3, waiting: 1 },
  webhooks: { failed: 1, waiting: 2 },
  disk: { free_bytes: 1.4 * 1024 ** 3, total_bytes: 40 * 1024 ** 3, is_low: true },
  backups: {
    last_good_at: new Date(Date.now() - 3 * 24 * 3600 * 1000).toISOString(),
    failures: 2,
    problem: "No room for a backup in /backups: its disk is almost full.",
    lost_files: 0,
    is_overdue: true,
  },
};
const newShop: Stats = {
  ...stats,
  pending: { requests: 0, flagged: 0, oldest_at: null },
  typical_approval_seconds: null,
  revenue: [],
  revenue_usd: "0",
  all_time: { approved: 0, revenue_usd: "0" },
  students: { unpaid: 0, starter: 0, advanced: 0 },
  conversion: { signed_up: 0, verified: 0, submitted: 0, approved: 0 },
  mails: { failed: 0, waiting: 0 },
  webhooks: null,
  disk: { free_bytes: 31 * 1024 ** 3, total_bytes: 40 * 1024 ** 3, is_low: false },
  backups: null,
};
const setup: Setup = { steps: setupSteps.map((step, index) => ({ step, done: index < 2 })), closed: false };

const reply = (page: Page, path: string, json: unknown): Promise<unknown> =>
  page.route(path, (route) => route.fulfill({ json }));

export const overviewScreens: Screen[] = [
  adminScreen("overview", async (page) => {
    await reply(page, "**/api/stats*", stats);
    await page.goto("/admin");
    await page.getByRole("slider", { name: "Revenue by day and method" }).press("ArrowLeft");
    await page.getByText("As a table").click();
    await seen(page.getByRole("table", { name: "Revenue by day and method, newest first" }));
    // Whatever the click has scrolled behind the header could not be pressed there.
    await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  }),
  adminScreen("overview of a new shop", async (page) => {
    await reply(page, "**/api/stats*", newShop);
    await reply(page, "**/api/setup", setup);
    await reply(page, "**/api/sample-course", { lessons: 14, live_sessions: 2, wallet: true });
    await page.goto("/admin");
    await seen(page.getByRole("heading", { name: "Set up your shop" }));
    await seen(page.getByRole("button", { name: "Remove the sample course" }));
    await seen(page.getByRole("heading", { name: "No students yet" }));
  }),
  adminScreen("removing the sample course", async (page) => {
    await reply(page, "**/api/sample-course", { lessons: 14, live_sessions: 2, wallet: true });
    await page.goto("/admin");
    await page.getByRole("button", { name: "Remove the sample course" }).click();
    await dialogOn(page);
  }),
];
