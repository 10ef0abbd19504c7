import { expect, it } from "vitest";
import { lockKeys, lockSpaces } from "./locks.ts";

it("has no two advisory locks with the same key", () => {
  for (const keys of [lockKeys, lockSpaces]) {
    const values: number[] = Object.values(keys);
    expect(new Set(values).size).toBe(values.length);
  }
});
