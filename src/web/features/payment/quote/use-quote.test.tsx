// @vitest-environment happy-dom
import { act, fireEvent, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Quote } from "#domain/api/payments/quotes";
import type { SubscriptionStatus } from "#domain/packages";
import { show } from "../../../../../tests/support/render.tsx";
import { api } from "../../../platform/api.ts";
import { forgetKeptState } from "../../../platform/kept-state.ts";
import { invalidateAfter } from "../../../platform/query/query-client.ts";
import { useQuote } from "./use-quote.ts";

vi.mock("../../../platform/api.ts", () => ({
  api: { quotes: { create: vi.fn<() => unknown>(), state: vi.fn<() => unknown>() } },
}));
const create = vi.mocked(api.quotes.create);
const readState = vi.mocked(api.quotes.state);
let quotes = 0;
const prices = { next: "497" };

beforeEach(() => {
  quotes = 0;
  prices.next = "497";
  forgetKeptState();
  create.mockClear();
  readState.mockReset().mockResolvedValue({ is_void: false });
  vi.useFakeTimers({ shouldAdvanceTime: true });
  create.mockImplementation(async () => {
    quotes += 1;
    const times = { created_at: "2026-11-21T00:00:00Z", expires_at: "2026-11-21T00:30:00Z" };
    return {
      id: `quote ${quotes}`,
      coupon_code: "FEW",
      amount_usd: prices.next,
      methods: [],
      earlier: [],
      ...times,
    } as unknown as Quote;
  });
});
afterEach(() => {
  vi.useRealTimers();
  setVisibility("visible");
});

function setVisibility(value: DocumentVisibilityState): void {
  Object.defineProperty(document, "visibilityState", { value, configurable: true });
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
}

function Page({ tier = "unpaid" }: { tier?: SubscriptionStatus }): ReactNode {
  const { quote, secondsLeft, renewal, isStopped, renew } = useQuote("starter", tier);
  return (
    <>
      <p>{quote?.id}</p>
      <p role="timer">{secondsLeft}</p>
      <p role="status">{renewal?.reason}</p>
      <p>{renewal?.changes}</p>
      {isStopped && <button onClick={() => renew()}>Show current amounts</button>}
    </>
  );
}

const minutes = (count: number): Promise<unknown> => act(() => vi.advanceTimersByTimeAsync(count * 60_000));
const stopped = (): HTMLElement | null => screen.queryByRole("button", { name: "Show current amounts" });

// QUOTE-2, COUPON-7
test("a quote that ends while the page is hidden is renewed once it is visible", async () => {
  show(<Page />);
  expect(await screen.findByText("quote 1")).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(30 * 60_000));
  expect(await screen.findByText("quote 2")).toBeDefined();

  setVisibility("hidden");
  await act(() => vi.advanceTimersByTimeAsync(24 * 60 * 60_000));
  expect(create).toHaveBeenCalledTimes(2);
  setVisibility("visible");
  expect(await screen.findByText("quote 3")).toBeDefined();
});

// QUOTE-2
test("a quote is renewed when the clock is set back to before it", async () => {
  show(<Page />);
  expect(await screen.findByText("quote 1")).toBeDefined();
  vi.setSystemTime(Date.now() - 3_600_000);
  await minutes(0.1);
  expect(await screen.findByText("quote 2")).toBeDefined();
  expect(screen.getByRole("status").textContent).toBe("expired");
  await minutes(1);
  expect(Number(screen.getByRole("timer").textContent)).toBeLessThanOrEqual(29 * 60);
  expect(create).toHaveBeenCalledTimes(2);
});

// GUARD-4
test("a quote that was ended while it was on its way is replaced", async () => {
  readState.mockImplementation(async (input) => ({ is_void: input.params.id === "quote 2" }));
  show(<Page />);
  expect(await screen.findByText("quote 1")).toBeDefined();
  await minutes(30);
  expect(await screen.findByText("quote 3")).toBeDefined();
  expect(screen.getByRole("status").textContent).toBe("void");
});

// QUOTE-10
test("a page that nobody has used for an hour stops renewing until it is asked", async () => {
  show(<Page />);
  expect(await screen.findByText("quote 1")).toBeDefined();
  await minutes(30);
  expect(await screen.findByText("quote 2")).toBeDefined();
  expect(stopped()).toBeNull();
  await minutes(24 * 60);
  expect(create).toHaveBeenCalledTimes(2);

  // The amounts are not exchanged under the eyes of somebody who is back.
  fireEvent.keyDown(document.body, { key: "Tab" });
  await minutes(1);
  expect(create).toHaveBeenCalledTimes(2);
  fireEvent.click(screen.getByRole("button", { name: "Show current amounts" }));
  expect(await screen.findByText("quote 3")).toBeDefined();
  expect(stopped()).toBeNull();
  await minutes(30);
  expect(await screen.findByText("quote 4")).toBeDefined();
});

// QUOTE-10
test.each(["pointerDown", "keyDown", "click"] as const)(
  "a page is in use while there is a %s every half hour",
  async (action) => {
    show(<Page />);
    expect(await screen.findByText("quote 1")).toBeDefined();
    for (let count = 2; count <= 5; count += 1) {
      await minutes(25);
      fireEvent[action](document.body);
      await minutes(5);
      expect(await screen.findByText(`quote ${count}`)).toBeDefined();
    }
  },
);

// JOURNEY-3
describe("a page that is opened again", () => {
  const leave = async (): Promise<void> => {
    const { unmount } = show(<Page />);
    expect(await screen.findByText("quote 1")).toBeDefined();
    unmount();
  };

  test("has the quote that is still open", async () => {
    await leave();
    await minutes(29);
    show(<Page />);
    expect(screen.getByText("quote 1")).toBeDefined();
    await minutes(0);
    expect(create).toHaveBeenCalledOnce();
  });

  test("replaces a quote that has ended meanwhile by one with its coupon, and says so", async () => {
    await leave();
    await minutes(31);
    show(<Page />);
    expect(await screen.findByText("quote 2")).toBeDefined();
    expect(create.mock.lastCall).toEqual([{ package_type: "starter", coupon_code: "FEW", replaces: "quote 1" }]);
    expect(screen.getByRole("status").textContent).toBe("expired");
  });

  test("still says what the renewal before has changed, and a later one has not", async () => {
    await leave();
    prices.next = "447";
    await minutes(31);
    const { unmount } = show(<Page />);
    const changes = "The price is now $447 USD instead of $497 USD.";
    expect(await screen.findByText(changes)).toBeDefined();
    unmount();
    show(<Page />);
    expect(screen.getByText(changes)).toBeDefined();
    await minutes(31);
    expect(await screen.findByText("quote 3")).toBeDefined();
    expect(screen.getByText(changes)).toBeDefined();
    prices.next = "397";
    fireEvent.click(document.body);
    await minutes(31);
    expect(await screen.findByText("The price is now $397 USD instead of $447 USD.")).toBeDefined();
  });

  // GUARD-4
  test("replaces a quote that was ended early meanwhile", async () => {
    await leave();
    // Lets a read of its state end that the page before has begun.
    await minutes(1);
    readState.mockImplementation(async ({ params }) => ({ is_void: params.id === "quote 1" }));
    show(<Page />);
    expect(await screen.findByText("quote 2")).toBeDefined();
    expect(screen.getByRole("status").textContent).toBe("void");
  });

  test("has a new quote for another tier", async () => {
    await leave();
    show(<Page tier="starter" />);
    expect(await screen.findByText("quote 2")).toBeDefined();
  });
});

// GUARD-4, REOPEN-5
test.each(["quotes", "payment-requests"] as const)(
  "an open page replaces a quote that ended, after news of %s",
  async (topic) => {
    show(<Page />);
    expect(await screen.findByText("quote 1")).toBeDefined();
    readState.mockImplementation(async ({ params }) => ({ is_void: params.id === "quote 1" }));
    invalidateAfter(topic);
    expect(await screen.findByText("quote 2")).toBeDefined();
  },
);

// JOURNEY-3, PACKAGE-4, QUOTE-6
test("an open page gets a new quote when the tier changes, and says so", async () => {
  const { rerender } = show(<Page />);
  expect(await screen.findByText("quote 1")).toBeDefined();
  prices.next = "248.5";
  rerender(<Page tier="starter" />);
  expect(screen.getByRole("timer").textContent).toBe("0");
  expect(await screen.findByText("quote 2")).toBeDefined();
  expect(screen.getByRole("status").textContent).toBe("tier");
  expect(screen.getByText("The price is now $248.5 USD instead of $497 USD.")).toBeDefined();
  // It replaces none, so that the one before may be named as paid at once.
  expect(create.mock.lastCall).toEqual([{ package_type: "starter", coupon_code: "FEW" }]);
  await minutes(1);
  expect(create).toHaveBeenCalledTimes(2);
});

// JOURNEY-3, QUOTE-10
test.each<[string, () => Promise<unknown>]>([
  ["that is hidden", async () => setVisibility("hidden")],
  ["that has stopped", () => minutes(90)],
])("a page %s gets a new quote when the tier changes", async (_what, rest) => {
  const { rerender } = show(<Page />);
  expect(await screen.findByText("quote 1")).toBeDefined();
  await rest();
  const count = create.mock.calls.length;
  rerender(<Page tier="starter" />);
  expect(await screen.findByText(`quote ${count + 1}`)).toBeDefined();
  expect(screen.getByRole("status").textContent).toBe("tier");
  expect(stopped()).toBeNull();
});
