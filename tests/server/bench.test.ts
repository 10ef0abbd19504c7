import { expect, it } from "vitest";
import { buyersOf } from "../../bench/frame/buyers.mjs";

const students = Array.from({ length: 1500 }, (_none, number) => number);

it("hands out each student of a bench once, to two rows of any number of rounds", () => {
  for (const rounds of [1, 3, 6, 9]) {
    const { perRound, take } = buyersOf(students);
    const ofSubmit = Array.from({ length: rounds + 1 }, () => take(perRound(2 / 5, rounds)));
    const ofScale = Array.from({ length: 3 * (rounds + 1) }, () => take(perRound(1 / 5, rounds)));
    const all = [...ofSubmit, ...ofScale].flat();
    expect(new Set(all).size).toBe(all.length);
    expect(all).not.toContain(800);
    expect(all.length).toBeGreaterThan(640);
  }
});

it("fails a row of a bench that asks for more students than are left", () => {
  const { take } = buyersOf(students);
  expect(take(699)).toHaveLength(699);
  expect(() => take(1)).toThrow("0 students");
});
