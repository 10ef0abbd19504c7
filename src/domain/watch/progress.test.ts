import { describe, expect, it } from "vitest";
import { doneFrom, isWithinFilm, maxFilmSeconds, resumePosition } from "./progress.ts";

/** WATCH-1 to WATCH-3. */
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

describe("the second at which a lesson goes on", () => {
  it("continues a lesson where it was left, after the first five seconds", () => {
    const left = (position_seconds: number) => resumePosition({ position_seconds, done: false });
    expect([left(0), left(5), left(5.1), left(300)]).toEqual([0, 0, 5.1, 300]);
  });

  it("starts a lesson that is done or was never played from the beginning", () => {
    expect([resumePosition(null), resumePosition({ position_seconds: 300, done: true })]).toEqual([0, 0]);
  });
});
