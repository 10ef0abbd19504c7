// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Me } from "#domain/api/account";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { ProductError } from "#domain/errors/messages";
import { texts } from "#domain/texts/texts";
import { show } from "../../../../tests/support/render.tsx";
import { SessionContext } from "../../entities/session/session.tsx";
import { accessToken } from "../../platform/auth-client.ts";
import { api } from "../../platform/api.ts";
import { Dashboard } from "./dashboard.tsx";
import { MyRequests } from "./my-requests.tsx";
import { loader, StudentPage } from "./page.tsx";

vi.mock("../../platform/auth-client.ts", async (original) => ({
  ...(await original<object>()),
  accessToken: vi.fn<() => unknown>(),
}));
vi.mock("../../platform/api.ts", () => ({
  api: {
    liveSessions: { occurrences: vi.fn<() => unknown>() },
    news: { list: () => Promise.resolve({ items: [], next_cursor: null }) },
    paymentRequests: { mine: vi.fn<() => unknown>(), approvalTime: () => Promise.resolve({ typical_seconds: null }) },
    videos: { list: () => Promise.resolve({ items: [video] }) },
  },
}));
const occurrences = vi.mocked(api.liveSessions.occurrences);
const mine = vi.mocked(api.paymentRequests.mine);
beforeEach(() => void mine.mockReset().mockResolvedValue({ items: [], next_cursor: null }));

const place = { module: "Forex Basics", module_order: null, order_index: 1 };
const video = { id: "a", title: "Lesson a", ...place, playable: true, progress: null, captions: [], attachments: [] };
const me = { full_name: "Ann", subscription_status: "starter" } as Me;

const nothing = { items: [], next_cursor: null, now: "2026-11-24T10:00:00Z" };

const dashboard = (requests: PaymentRequest[] | undefined) => (
  <SessionContext value={{ status: "signed-in", me, asOf: 0 }}>
    <Dashboard requests={requests} myRequests={<MyRequests />} />
  </SessionContext>
);
const showDashboard = (requests: PaymentRequest[] = []) => show(dashboard(requests));
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
/** Whether the module's section is displayed; it is read into the page before. */
const areLessonsShown = () => screen.getByRole("heading", { name: "Forex Basics" }).closest(".invisible") === null;

// LIVESESSION-8
describe("lessons, which the live sessions would push down", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  test("wait for the live sessions", async () => {
    let reply: (value: typeof nothing) => void = () => {};
    occurrences.mockReturnValueOnce(new Promise((resolve) => (reply = resolve))).mockResolvedValue(nothing);
    showDashboard();
    await pass(500);
    expect(screen.getByRole("heading", { name: /Ann/ })).toBeDefined();
    expect(areLessonsShown()).toBe(false);
    reply(nothing);
    await pass(10);
    expect(areLessonsShown()).toBe(true);
  });

  test.each(["coming", "recorded"] as const)("are shown where %s sessions cannot be read, asked for once", async (failing) => {
    occurrences.mockReset();
    occurrences.mockImplementation(({ when } = {}) =>
      when === failing ? Promise.reject(new ProductError("not_found")) : Promise.resolve(nothing),
    );
    showDashboard();
    await pass(100);
    expect(areLessonsShown()).toBe(true);
    await pass(5000);
    expect(areLessonsShown()).toBe(true);
    expect(occurrences).toHaveBeenCalledTimes(2);
  });

  test("wait for the payments, which may stand above them", async () => {
    occurrences.mockReset();
    occurrences.mockResolvedValue(nothing);
    const { rerender } = show(dashboard(undefined));
    await pass(100);
    expect(areLessonsShown()).toBe(false);
    rerender(dashboard([]));
    expect(areLessonsShown()).toBe(true);
  });

  test("are shown where the payments cannot be read, with the reason, asked for once", async () => {
    occurrences.mockReset();
    occurrences.mockResolvedValue(nothing);
    mine.mockImplementation(() => new Promise((_, reject) => setTimeout(() => reject(new ProductError("not_found")), 50)));
    show(
      <SessionContext value={{ status: "signed-in", me, asOf: 0 }}>
        <StudentPage />
      </SessionContext>,
    );
    await pass(1000);
    expect(areLessonsShown()).toBe(true);
    expect(screen.getByRole("button", { name: "Try again" })).toBeDefined();
    await pass(5000);
    expect(mine).toHaveBeenCalledTimes(1);
  });

  test("wait a second at most", async () => {
    occurrences.mockReset();
    occurrences.mockReturnValue(new Promise(() => {}));
    showDashboard();
    await pass(900);
    expect(areLessonsShown()).toBe(false);
    await pass(200);
    expect(areLessonsShown()).toBe(true);
  });
});

// DECIDE-7, PAY-6
test("the rest of a payment is not asked for once the student has the package", async () => {
  occurrences.mockReset();
  occurrences.mockResolvedValue(nothing);
  const asked = {
    package_type: "starter",
    status: "pending",
    rest: {},
    parts: [],
    amount_usd: "497",
    amount_received: null,
    crypto_type: "thai_bank",
    amount_crypto: "17395.00",
    wallet_address: "Bank 1",
    reference: null,
    created_at: "2026-11-21T00:00:00Z",
  } as unknown as PaymentRequest;
  mine.mockResolvedValue({ items: [asked], next_cursor: null });
  showDashboard([asked]);
  expect((await screen.findByRole("row", { name: /^Starter/ })).textContent).toContain("Waiting for approval");
  expect(screen.getByText(texts.student.paidMessage)).toBeDefined();
  expect(screen.queryByText(/Rest to pay|Pay the rest|still to pay|within 24 hours/)).toBeNull();
});

test("the live sessions are read before it is known who is signed in", async () => {
  vi.mocked(accessToken).mockResolvedValue("token");
  occurrences.mockReset();
  occurrences.mockResolvedValue(nothing);
  loader();
  await waitFor(() => expect(occurrences).toHaveBeenCalledTimes(2));
  expect(occurrences.mock.calls.map(([input]) => input?.when)).toEqual(["coming", "recorded"]);
});
