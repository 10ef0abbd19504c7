import fc from "fast-check";
import { expect, test } from "vitest";
import { fitted, fittedSize, turned, within, zoomed } from "./picture-view.ts";

const picture = { width: 600, height: 1200 };
const frame = { width: 400, height: 600 };

test("fits the whole picture, upright and on its side", () => {
  expect(fittedSize(picture, frame, 0)).toEqual({ width: 300, height: 600 });
  expect(fittedSize(picture, frame, 1)).toEqual({ width: 200, height: 400 });
});

test("enlarges a small picture at most three times", () => {
  expect(fittedSize({ width: 10, height: 20 }, frame, 0)).toEqual({ width: 30, height: 60 });
});

test("the point that is zoomed at stays where it is", () => {
  const point = fc.record({ x: fc.integer({ min: -200, max: 200 }), y: fc.integer({ min: -300, max: 300 }) });
  fc.assert(
    fc.property(point, fc.double({ min: 1, max: 12, noNaN: true }), (at, factor) => {
      const { zoom, x, y } = zoomed(fitted, factor, at);
      // The picture's point below `at` was `at` itself, since the view was fitted.
      expect(x + at.x * zoom).toBeCloseTo(at.x);
      expect(y + at.y * zoom).toBeCloseTo(at.y);
    }),
  );
});

test("zooms neither out of the frame nor without end", () => {
  expect(zoomed(fitted, 0.1).zoom).toBe(1);
  expect(zoomed(fitted, 1e9).zoom).toBe(12);
});

test("four quarter turns lead back, each of them fitted", () => {
  const moved = { zoom: 3, x: 50, y: 60, turns: 0 };
  expect(turned(moved)).toEqual({ ...fitted, turns: 1 });
  expect(turned(turned(turned(turned(moved))))).toEqual(fitted);
});

test("an edge of the picture does not leave that of the frame", () => {
  const size = fittedSize(picture, frame, 0);
  expect(within({ ...fitted, x: 99, y: -99 }, size, frame)).toEqual(fitted);
  expect(within({ zoom: 2, x: 999, y: -999, turns: 0 }, size, frame)).toEqual({ zoom: 2, x: 100, y: -300, turns: 0 });
  expect(within({ zoom: 2, x: 999, y: -999, turns: 1 }, size, frame)).toEqual({ zoom: 2, x: 400, y: 0, turns: 1 });
});
