import { setImmediate as nextTurn } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import { afterEach, expect, it } from "vitest";
import { collect } from "./collect.ts";
import { collectWhenIdle } from "./idle-collection.ts";

const everyMs = 200;
const mebibyte = 1024 * 1024;

let timer: NodeJS.Timeout | undefined;
afterEach(() => clearInterval(timer));

/** Makes 64 MiB of objects old, which V8 leaves alone until it is short of memory, and lets go of them. */
function makeGarbage(): void {
  const garbage = Array.from({ length: 64 }, () => Array.from({ length: mebibyte / 8 }, () => 0.5));
  collect();
  garbage.length = 0;
}

const heapMb = (): number => getHeapStatistics().total_physical_size / mebibyte;

it("gives the memory of a busy time back once the process is idle", async () => {
  timer = collectWhenIdle(everyMs);
  makeGarbage();
  const after = heapMb();
  // After eight seconds V8 itself may do it.
  await expect.poll(() => after - heapMb(), { interval: 500, timeout: 6000 }).toBeGreaterThan(40);
});

it("collects nothing while the process is busy", async () => {
  timer = collectWhenIdle(everyMs);
  makeGarbage();
  const after = heapMb();
  const looks: null[] = [];
  const counter = setInterval(() => looks.push(null), everyMs);
  while (looks.length < 5) {
    Array.from({ length: 100_000 }, Math.sqrt);
    await nextTurn();
  }
  clearInterval(counter);
  expect(after - heapMb()).toBeLessThan(20);
});
