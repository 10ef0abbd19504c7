import { performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import { collect } from "./collect.ts";

const everyMs = 10_000;

/** An idle process uses less than this share of a processor. */
const idleShare = 0.02;

/** Bytes by which the heap may have grown since the start without being collected. */
const maxGrowthBytes = 16 * 1024 * 1024;

/** V8 gives pages back at the collection after the one that emptied them. */
const collections = 3;

/** Looks between two collections of a heap that stays large, since it is in use: five minutes. */
const pause = 30;

/**
 * Collects the heap of this process while the process is idle and the heap is large. V8 collects when it is asked for memory, so that a site would
 * keep until its next busy hour what the last one left.
 */
export function collectWhenIdle(): NodeJS.Timeout {
  const isDue = idleCollections(heapSize());
  let before = performance.eventLoopUtilization();
  return setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (isDue(utilization, heapSize())) collect();
  }, everyMs).unref();
}

/**
 * Returns a function that decides whether to collect the heap now, by the use of the event loop since the last look (0 to 1) and the bytes of the
 * heap.
 */
export function idleCollections(bytesAtStart: number): (utilization: number, bytes: number) => boolean {
  let looks = 0;
  return (utilization, bytes) => {
    if (bytes - bytesAtStart <= maxGrowthBytes) looks = 0;
    else if (utilization < idleShare) return looks++ % pause < collections;
    return false;
  };
}

/** Returns the bytes of the heap's pages, whether they are in use or not. */
function heapSize(): number {
  return getHeapStatistics().total_physical_size;
}
