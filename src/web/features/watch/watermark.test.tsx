// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { show } from "../../../../tests/support/render.tsx";
import { Watermark } from "./watermark.tsx";

afterEach(() => vi.useRealTimers());

// DEVICE-4.
test("the watermark moves, stays on the film, and is skipped by clicks and readers", () => {
  vi.useFakeTimers();
  show(<Watermark text="nok@example.com" />);
  const text = screen.getByText("nok@example.com");
  expect(text.closest("[aria-hidden]")?.className).toContain("pointer-events-none");

  const places = new Set<string>();
  for (let move = 0; move < 20; move++) {
    const { left, top, translate } = text.style;
    places.add(`${left} ${top}`);
    for (const percent of [left, top]) expect(Number.parseFloat(percent)).toBeLessThanOrEqual(100);
    expect(translate).toBe(`-${left} -${top}`);
    act(() => {
      vi.advanceTimersByTime(20_000);
    });
  }
  expect(places.size).toBeGreaterThan(15);
});
