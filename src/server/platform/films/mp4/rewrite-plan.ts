import { fragmentsBox } from "../fragments-box.ts";
import { isOrdinary, planFastStart, type FastStart } from "./fast-start.ts";
import { planFragments } from "./fragmented/plan-fragments.ts";
import { hasLateIndex, type Layout } from "./layout.ts";
import { readMovie } from "./movie.ts";

/** A film as it is written anew: with its index in front, and a box behind it that holds its fragmented layout, or no bytes. */
export interface RewritePlan extends FastStart {
  fragments: Buffer;
}

/** A shorter index takes less than 0.2 s at 10 Mbit/s, and is left alone. */
const longIndexBytes = 256 * 1024;

/** Returns how long a rewritten film is without the box of its fragments, in bytes. */
export function lengthOfFilm({ before, index, after }: RewritePlan): number {
  return [before, ...after].reduce((sum, { start, end }) => sum + end - start, index.length);
}

/**
 * Returns how to write a film anew: its index in front (FILE-12), and a fragmented layout for one with a long index (FILE-16).
 * Undefined for a film that neither applies to.
 */
export function planRewrite(layout: Layout, longIndex = longIndexBytes): RewritePlan | undefined {
  const moved = planFastStart(layout);
  const plan = moved ?? planUnmoved(layout);
  const fragments = plan && plan.index.length >= longIndex ? fragmentsOf(layout, plan.index) : undefined;
  if (plan !== undefined && fragments !== undefined) return { ...plan, fragments };
  return moved && { ...moved, fragments: Buffer.alloc(0) };
}

/** Returns a film as it is, where its index stands in front. */
function planUnmoved(layout: Layout): FastStart | undefined {
  const { boxes, index } = layout;
  const films = boxes.filter(({ type }) => type === "mdat");
  const last = boxes.at(-1);
  if (index === undefined || last === undefined || index.movie.isFragmented || hasLateIndex(layout)) return undefined;
  if (!isOrdinary(layout, index.movie, films, index.bytes)) return undefined;
  const { box, bytes } = index;
  return { before: { start: 0, end: box.start }, index: bytes, after: [{ start: box.end, end: last.end }] };
}

/** Returns the box with the fragmented layout of a film with this index, which states offsets in the film as it is written anew. */
function fragmentsOf({ boxes }: Layout, index: Buffer): Buffer | undefined {
  // Nothing can follow a film that runs to the end of its file.
  if (boxes.at(-1)?.isOpenEnded === true) return undefined;
  const contentStart = index.readUInt32BE(0) === 1 ? 16 : 8;
  const moov = { type: "moov", start: 0, contentStart, end: index.length, isOpenEnded: false };
  const movie = readMovie(index, moov);
  const pieces = movie && planFragments(index, moov, movie);
  return pieces && fragmentsBox(pieces);
}
