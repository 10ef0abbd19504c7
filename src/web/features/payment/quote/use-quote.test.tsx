// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Quote } from "#domain/api/quotes";
import { show } from "../../../../../tests/support/render.tsx";
import { api } from "../../../platform/api.ts";
import { useQuote } from "./use-quote.ts";

vi.mock("../../../platform/api.ts", () => ({ api: { quotes: { create: vi.fn<() => unknown>() } } }));
const create = vi.mocked(api.quotes.create);
let quotes = 0;

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  create.mockImplementation(async () => {
    quotes += 1;
    const times = { created_at: "2026-11-21T00:00:00Z", expires_at: "2026-11-21T00:30:00Z" };
    return { id: `quote ${quotes}`, coupon_code: "FEW", methods: [], earlier: [], ...times } as unknown as Quote;
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

function Page(): ReactNode {
  return useQuote("starter").quote?.id;
}

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
