// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { afterAll, expect, test, vi } from "vitest";
import type { Stats } from "#domain/api/overview";
import { show } from "../../../../../../tests/support/render.tsx";
import { Revenue } from "./revenue.tsx";

vi.mock("../../../../platform/api.ts", () => ({ api: {} }));
// So far east that noon in UTC is the day after; before the formats are made.
vi.hoisted(() => vi.stubEnv("TZ", "Pacific/Auckland"));
afterAll(() => void vi.unstubAllEnvs());

const stats = {
  from: "2026-11-22",
  to: "2026-11-24",
  revenue: [{ day: "2026-11-24", crypto_type: "bitcoin", package_type: "starter", approved: 1, amount_usd: "497" }],
} as Stats;

// STATS-3, STATS-6
test("days are those of UTC, far east of it too", () => {
  expect(new Date(0).getTimezoneOffset()).toBe(-720);
  show(<Revenue stats={stats} />);
  expect(screen.getByRole("slider").getAttribute("aria-valuetext")).toMatch(/^24 Nov 2026: \$497/);
  expect(screen.getByRole("rowheader", { hidden: true }).textContent).toBe("24 Nov 2026");
  expect(screen.getByText("22 Nov 2026", { selector: "[aria-hidden] span:first-child" })).toBeDefined();
});
