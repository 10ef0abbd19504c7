// @vitest-environment happy-dom
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { Setup, Stats } from "#domain/api/overview";
import { setupSteps } from "#domain/api/overview";
import { show } from "../../../../../tests/support/render.tsx";
import { api } from "../../../platform/api.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { OverviewTab } from "./overview-tab.tsx";

vi.mock("../../../platform/api.ts", () => {
  const call = () => vi.fn<() => unknown>();
  const overview = { stats: call(), setup: call(), closeSetup: call(), sampleCourse: call(), removeSampleCourse: call() };
  return { api: { overview, coinPrices: { list: () => Promise.resolve({ items: [], refresh_seconds: null }) } } };
});

const stats: Stats = {
  pending: { requests: 3, flagged: 1, oldest_at: new Date(Date.now() - 3 * 3600 * 1000).toISOString() },
  typical_approval_seconds: 5400,
  from: "2026-08-27",
  to: "2026-11-24",
  revenue: [
    { day: "2026-11-20", crypto_type: "bitcoin", package_type: "starter", approved: 1, amount_usd: "497" },
    { day: "2026-11-20", crypto_type: "bitcoin", package_type: "advanced", approved: 1, amount_usd: "299.1" },
    { day: "2026-11-24", crypto_type: "thai_bank", package_type: "advanced", approved: 2, amount_usd: "0.2" },
  ],
  revenue_usd: "796.3",
  all_time: { approved: 5, revenue_usd: "1296.3" },
  students: { unpaid: 6, starter: 1, advanced: 3 },
  conversion: { signed_up: 10, verified: 8, submitted: 5, approved: 4 },
  prices_updated_at: { bitcoin: null, ethereum: null },
  mails: { failed: 2, waiting: 0 },
  webhooks: null,
  disk: { free_bytes: 1024 ** 3, total_bytes: 20 * 1024 ** 3, is_low: true },
  backups: {
    last_good_at: new Date(Date.now() - 3 * 24 * 3600 * 1000).toISOString(),
    failures: 2,
    problem: "No room for a backup in /backups: its disk is almost full.",
    lost_files: 0,
    is_overdue: true,
  },
};
const noSample = { lessons: 0, live_sessions: 0, wallet: false };
const setupWith = (done: number, closed = false): Setup => ({
  steps: setupSteps.map((step, index) => ({ step, done: index < done })),
  closed,
});

beforeEach(() => {
  queryClient.clear();
  vi.mocked(api.overview.stats).mockResolvedValue(stats);
  vi.mocked(api.overview.setup).mockResolvedValue(setupWith(6, true));
  vi.mocked(api.overview.sampleCourse).mockResolvedValue(noSample);
});

// STATS-6, STATS-7
test("the overview has the figures of the shop, with a way to what waits", async () => {
  show(<OverviewTab />);
  const waiting = await screen.findByRole("region", { name: "Waiting for your decision" });
  expect(waiting.textContent).toContain("The oldest came 3 hours ago. 1 flagged.");
  expect(within(waiting).getByRole("link", { name: "Review" }).getAttribute("href")).toBe("/admin?tab=payments&status=pending");
  expect(screen.getByRole("region", { name: "Typical approval time" }).textContent).toContain("2 hours");
  expect(screen.getByRole("region", { name: "Revenue, last 90 days" }).textContent).toContain("$796.3");
  expect(screen.getAllByText("40%")).toHaveLength(1);
  expect(screen.getByRole("region", { name: "Health" }).textContent).toContain("Room for uploads1 GB of 20 GBLook");
});

// WEBHOOK-5
test("the overview has the webhooks that failed or wait, where there is a receiver", async () => {
  const health = async () => (await screen.findByRole("region", { name: "Health" })).textContent;
  const { unmount } = show(<OverviewTab />);
  expect(await health()).not.toContain("Webhooks");
  unmount();
  queryClient.clear();
  vi.mocked(api.overview.stats).mockResolvedValue({ ...stats, webhooks: { failed: 0, waiting: 2 } });
  show(<OverviewTab />);
  expect(await health()).toContain("Webhooks that failed0Webhooks that wait for their receiver2Look");
});

// BACKUP-6
test("the overview has the last good backup's age, and why others failed", async () => {
  const health = async () => (await screen.findByRole("region", { name: "Health" })).textContent;
  const { unmount } = show(<OverviewTab />);
  expect(await health()).toContain("Last good backup3 days agoLook");
  expect(await health()).toContain(
    "Failed backups since the last good one: 2. Why the last of them failed: No room for a backup in /backups",
  );
  unmount();
  queryClient.clear();
  vi.mocked(api.overview.stats).mockResolvedValue({ ...stats, backups: null });
  show(<OverviewTab />);
  expect(await health()).toMatch(/Last good backupNone is scheduled$/);
});

test("a backup that is neither late nor failed is not marked", async () => {
  const backups = {
    last_good_at: new Date(Date.now() - 3600 * 1000).toISOString(),
    failures: 0,
    problem: null,
    lost_files: 0,
    is_overdue: false,
  };
  vi.mocked(api.overview.stats).mockResolvedValue({ ...stats, backups });
  show(<OverviewTab />);
  expect((await screen.findByRole("region", { name: "Health" })).textContent).toMatch(/Last good backup1 hour ago$/);
});

// BACKUP-6
test("the overview says that the last backup does not have stored files whole", async () => {
  const backups = { last_good_at: null, failures: 0, problem: null, lost_files: 3, is_overdue: false };
  vi.mocked(api.overview.stats).mockResolvedValue({ ...stats, backups });
  show(<OverviewTab />);
  const health = (await screen.findByRole("region", { name: "Health" })).textContent;
  expect(health).toContain("Last good backupNone yetLook");
  expect(health).toContain(
    "Stored files that the last backup does not have whole: 3. Older backups that may have them are kept.",
  );
});

// STATS-3
test("revenue reads as bars with the keyboard, and as a table", async () => {
  const { user } = show(<OverviewTab />);
  const bars = await screen.findByRole("slider", { name: "Revenue by day and method" });
  expect(bars.getAttribute("aria-valuetext")).toBe("24 Nov 2026: $0.2, 2 approved, Thai Bank Transfer $0.2");
  bars.focus();
  await user.keyboard("{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowLeft}");
  const text = "20 Nov 2026: $796.1, 2 approved, Bitcoin $796.1";
  expect(bars.getAttribute("aria-valuetext")).toBe(text);
  expect(screen.getByRole("region", { name: "Revenue by day" }).textContent).toContain(text);
  await user.keyboard("{Home}{ArrowLeft}");
  expect(bars.getAttribute("aria-valuetext")).toContain("27 Aug 2026: $0, 0 approved");
  await user.keyboard("{End}{ArrowRight}");
  expect(bars.getAttribute("aria-valuenow")).toBe("90");

  await user.click(screen.getByRole("radio", { name: "Package" }));
  const table = screen.getByRole("table", { name: "Revenue by day and package, newest first", hidden: true });
  expect(
    within(table)
      .getAllByRole("row", { hidden: true })
      .map(({ textContent }) => textContent),
  ).toEqual(["DayApprovedStarterAdvancedTotal", "24 Nov 20262$0$0.2$0.2", "20 Nov 20262$497$299.1$796.1"]);
});

test("a new shop has a short text instead of zeros", async () => {
  const none = { signed_up: 0, verified: 0, submitted: 0, approved: 0 };
  vi.mocked(api.overview.stats).mockResolvedValue({
    ...stats,
    pending: { requests: 0, flagged: 0, oldest_at: null },
    revenue: [],
    revenue_usd: "0",
    all_time: { approved: 0, revenue_usd: "0" },
    students: { unpaid: 0, starter: 0, advanced: 0 },
    conversion: none,
  });
  show(<OverviewTab />);
  expect(await screen.findByRole("region", { name: "No students yet" })).toBeDefined();
  expect(screen.queryByRole("slider")).toBeNull();
  expect(screen.getByRole("region", { name: "Health" })).toBeDefined();
});

// STATS-8
test("the set-up card links each open step, and is dismissed for good", async () => {
  vi.mocked(api.overview.setup).mockResolvedValue(setupWith(0));
  vi.mocked(api.overview.closeSetup).mockImplementation(() => {
    vi.mocked(api.overview.setup).mockResolvedValue(setupWith(4, true));
    return Promise.resolve({ closed: true });
  });
  const { user } = show(<OverviewTab />);
  const card = await screen.findByRole("region", { name: "Set up your shop" });
  expect(card.textContent).toContain("0 of 6 steps done");
  expect(
    within(card)
      .getAllByRole("link")
      .map((link) => link.getAttribute("href")),
  ).toEqual([
    "/admin?tab=settings#wallet",
    "/admin?tab=settings#environment",
    "/admin?tab=settings#test-mail",
    "/admin?tab=videos#new-video",
    "/account#second-factor",
    "/admin?tab=settings#own-figures",
  ]);
  await user.click(within(card).getByRole("button", { name: "Do not show again" }));
  await waitFor(() => expect(screen.queryByRole("region", { name: "Set up your shop" })).toBeNull());
});

// STATS-6
test("the overview waits for the cards above it, which would move it", async () => {
  let arrive = (_setup: Setup): void => {};
  vi.mocked(api.overview.setup).mockReturnValue(new Promise((resolve) => (arrive = resolve)));
  show(<OverviewTab />);
  await waitFor(() => expect(queryClient.getQueryData(["stats"])).toBeDefined());
  expect(screen.queryByRole("region", { name: "Waiting for your decision" })).toBeNull();
  arrive(setupWith(0));
  expect(await screen.findByRole("region", { name: "Waiting for your decision" })).toBeDefined();
  expect(screen.getByRole("region", { name: "Set up your shop" })).toBeDefined();
});

// STATS-9
test("the sample course is removed after a question that counts what goes", async () => {
  vi.mocked(api.overview.sampleCourse).mockResolvedValue({ lessons: 14, live_sessions: 1, wallet: true });
  vi.mocked(api.overview.removeSampleCourse).mockImplementation(() => {
    vi.mocked(api.overview.sampleCourse).mockResolvedValue(noSample);
    return Promise.resolve({ lessons: 14, live_sessions: 1, wallet: true });
  });
  const { user } = show(<OverviewTab />);
  await user.click(await screen.findByRole("button", { name: "Remove the sample course" }));
  const question = await screen.findByRole("alertdialog", { name: "Remove the sample course?" });
  expect(question.textContent).toContain("14 lessons, 1 live session and the sample payment addresses");
  expect(api.overview.removeSampleCourse).not.toHaveBeenCalled();
  await user.click(within(question).getByRole("button", { name: "Remove" }));
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(api.overview.removeSampleCourse).toHaveBeenCalledOnce();
  await waitFor(() => expect(screen.queryByRole("button", { name: "Remove the sample course" })).toBeNull());
});
