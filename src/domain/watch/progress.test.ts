import { describe, expect, it } from "vitest";
import { doneFrom, isWithinFilm, maxFilmSeconds } from "./progress.ts";

/** WATCH-1, WATCH-2. */
describe("a position in a film", () => {
  it("accepts a position within its film, or at most a second past its end", () => {
    const within = (position_seconds: number) => isWithinFilm({ position_seconds, duration_seconds: 60 });
    expect([0, 60, 61, 61.01].map(within)).toEqual([true, true, true, false]);
  });

  it("accepts a position in a film of at most a day", () => {
    expect(maxFilmSeconds).toBe(86_400);
  });
});

describe("the second from which a lesson is done", () => {
  it("is done from 90% of a film of known length", () => {
    expect([doneFrom(600), doneFrom(0.1), doneFrom(0)]).toEqual([540, expect.closeTo(0.09), null]);
  });
});
