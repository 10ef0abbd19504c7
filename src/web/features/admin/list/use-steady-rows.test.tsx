// @vitest-environment happy-dom
import { renderHook } from "@testing-library/react";
import { expect, test } from "vitest";
import { useSteadyRows } from "./use-steady-rows.ts";

interface Row {
  id: string;
  state: string;
}
const rows = (...states: string[]): Row[] => states.map((text) => ({ id: text[0]!, state: text }));
const keyOf = ({ id }: Row): string => id;
interface Shown {
  given: Row[];
  isHeld?: boolean;
  source?: string;
  addsAll?: boolean;
  isGone?: (row: Row) => boolean;
}
const follow = (first: Shown) =>
  renderHook(
    ({ given, isHeld = false, source = "all", ...more }: Shown) => useSteadyRows(given, keyOf, { isHeld, source, ...more }),
    { initialProps: first },
  );
const statesOf = ({ result }: ReturnType<typeof follow>): string[] => result.current.rows.map(({ state }) => state);

// LIST-6.
test("a row that leaves the list stays while somebody is at work in it", () => {
  const first = rows("a", "b", "c");
  const list = follow({ given: first });
  list.rerender({ given: first, isHeld: true });
  list.rerender({ given: rows("a", "c changed"), isHeld: true });
  expect(statesOf(list)).toEqual(["a", "b", "c changed"]);
  list.rerender({ given: rows("a", "c changed") });
  expect(statesOf(list)).toEqual(["a", "c changed"]);
});

// COUPON-7
test("a deleted row leaves a held list, and stays when it was added again", () => {
  const isGone = ({ id }: Row): boolean => id === "b";
  const list = follow({ given: rows("a", "b"), isHeld: true, isGone });
  list.rerender({ given: rows("a"), isHeld: true, isGone });
  expect(statesOf(list)).toEqual(["a"]);
  list.rerender({ given: rows("a", "b anew"), isGone });
  list.rerender({ given: rows("a", "b anew"), isHeld: true, isGone });
  expect(statesOf(list)).toEqual(["a", "b anew"]);
});

test("new rows wait and are counted, and further pages are added", () => {
  const list = follow({ given: rows("b", "c") });
  list.rerender({ given: rows("a", "b", "c", "d", "e"), isHeld: true });
  expect(statesOf(list)).toEqual(["b", "c", "d", "e"]);
  expect(list.result.current.added).toBe(1);
  list.rerender({ given: rows("a", "b", "c", "d", "e") });
  expect(statesOf(list)).toEqual(["a", "b", "c", "d", "e"]);
  expect(list.result.current.added).toBe(0);
});

test("the rows of another filter replace held ones", () => {
  const list = follow({ given: rows("a", "b"), isHeld: true });
  list.rerender({ given: rows("c"), isHeld: true, source: "other" });
  expect(statesOf(list)).toEqual(["c"]);
});

// REVIEW-6
test("new rows of a queue join its end, also where those before have all left it", () => {
  const queue = follow({ given: rows("b", "c"), isHeld: true, addsAll: true });
  queue.rerender({ given: rows("a", "b"), isHeld: true, addsAll: true });
  expect(statesOf(queue)).toEqual(["b", "c", "a"]);
  queue.rerender({ given: rows("d"), isHeld: true, addsAll: true });
  expect(statesOf(queue)).toEqual(["b", "c", "a", "d"]);
});
