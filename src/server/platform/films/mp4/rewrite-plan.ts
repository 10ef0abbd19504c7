import { fragmentsBox } from "../fragments-box.ts";
import { lengthOfRanges } from "../gather.ts";
import { planFastStart, type FastStart } from "./fast-start.ts";
import { planFragments } from "./fragmented/plan-fragments.ts";
import type { Layout } from "./layout.ts";

/** A film as it is written anew: with its index in front, then its fragments, other bytes, and a box with its fragmented layout. */
export interface RewritePlan extends FastStart {
  /** Where the samples of each fragment are in the old file: starts and ends take turns. None of a film whose index alone is moved. */
  fragments: Float64Array[];
  /** The box that holds the fragmented layout, or no bytes. */
  secondLayout: Buffer;
}

/** A shorter index takes less than 0.2 s at 10 Mbit/s, and its film is left as it is. */
const longIndexBytes = 256 * 1024;

/** Returns how long a rewritten film is without its fragmented layout, in bytes. */
export function lengthOfFilm({ before, index, fragments, after }: RewritePlan): number {
  const inFragments = fragments.reduce((sum, ranges) => sum + lengthOfRanges(ranges), 0);
  return [before, ...after].reduce((sum, { start, end }) => sum + end - start, index.length + inFragments);
}

/**
 * Returns how to write a film anew: its index in front (FILE-12), and in fragments where it has a long index (FILE-16). Undefined for a film that
 * neither applies to.
 */
export function planRewrite(layout: Layout, longIndex = longIndexBytes): RewritePlan | undefined {
  const isLong = layout.index !== undefined && layout.index.bytes.length >= longIndex;
  const fragmented = isLong ? planFragments(layout) : undefined;
  if (fragmented !== undefined) {
    const { pieces, ...film } = fragmented;
    return { ...film, secondLayout: fragmentsBox(pieces) };
  }
  const moved = planFastStart(layout);
  return moved && { ...moved, fragments: [], secondLayout: Buffer.alloc(0) };
}
