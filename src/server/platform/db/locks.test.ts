import { expect, it } from "vitest";
import { lockKeys, lockSpaces } from "./locks.ts";

it("gives every advisory lock a key of its own", () => {
  for (const keys of [lockKeys, lockSpaces]) {
    const values: number[] = Object.values(keys);
    expect(new Set(values).size).toBe(values.length);
  }
});
