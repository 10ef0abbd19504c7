import { performance } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import { collect } from "./collect.ts";

/** An idle process uses less than this share of a processor. */
const idleShare = 0.02;

/** Bytes by which the heap may have grown since the start without being collected. */
const mostGrowth = 32 * 1024 * 1024;

/**
 * Collects the heap of this process while the process is idle and the heap is large. V8 collects when it is asked for memory, so that a site would
 * keep until its next busy hour what the last one left. It gives pages back at the collection after the one that emptied them.
 */
export function collectWhenIdle(everyMs = 10_000): NodeJS.Timeout {
  const atStart = heapSize();
  let before = performance.eventLoopUtilization();
  return setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization < idleShare && heapSize() - atStart > mostGrowth) collect();
  }, everyMs).unref();
}

/** Returns the bytes of the heap's pages, whether they are in use or not. */
function heapSize(): number {
  return getHeapStatistics().total_physical_size;
}
