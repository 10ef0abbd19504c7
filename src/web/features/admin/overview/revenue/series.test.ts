import { expect, test } from "vitest";
import { axisEnd } from "./series.ts";

test.each([
  [0, 1],
  [0.2, 0.2],
  [1, 1],
  [497, 500],
  [501, 1000],
  [20_000, 20_000],
])("the axis of %s USD ends at a round value", (highest, end) => {
  expect(axisEnd(highest)).toBeCloseTo(end);
});
