import { describe, expect, it } from "vitest";
import { isDecodableShape } from "./image-shape.ts";

describe("an image that is decoded", () => {
  it.each([
    [1, 1, true],
    [50, 1, true],
    [1, 50, true],
    [51, 1, false],
    [1, 51, false],
    [20_000, 5000, true],
    [5000, 20_000, true],
    [20_001, 1000, false],
    [10_000, 10_000, true],
    [10_001, 10_000, false],
    [0, 0, false],
    [0, 1, false],
  ])("of %i by %i pixels: %s", (width, height, isDecoded) => expect(isDecodableShape(width, height)).toBe(isDecoded));
});
