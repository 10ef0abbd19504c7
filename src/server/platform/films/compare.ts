import { createHash } from "node:crypto";
import type { FilmFile } from "./film-file.ts";
import { gather } from "./gather.ts";
import { hashOfTracks } from "./mp4/fragmented/track-hash.ts";
import { lengthOfFilm, type RewritePlan } from "./mp4/rewrite-plan.ts";

const pieceBytes = 1024 ** 2;

/**
 * Compares a rewritten film with its plan, byte by byte, and one whose samples stand in another order by its tracks too. Returns the SHA-256
 * of the rewritten file; undefined when it has another byte, another length or another sample.
 */
export async function hashIfEqual(old: FilmFile, rewritten: FilmFile, plan: RewritePlan): Promise<Buffer | undefined> {
  if (rewritten.size !== lengthOfFilm(plan) + plan.secondLayout.length) return undefined;
  const hash = createHash("sha256");
  let position = 0;
  const isNext = async (expected: Buffer): Promise<boolean> => {
    const found = await rewritten.read(position, expected.length);
    position += expected.length;
    hash.update(found);
    return expected.length > 0 && found.equals(expected);
  };
  const isNextRange = async (start: number, end: number): Promise<boolean> => {
    for (let at = start; at < end; at += pieceBytes) {
      if (!(await isNext(await old.read(at, Math.min(pieceBytes, end - at))))) return false;
    }
    return true;
  };
  if (!(await isNextRange(plan.before.start, plan.before.end)) || !(await isNext(plan.index))) return undefined;
  for (const ranges of plan.fragments) {
    if (!(await isNext(await gather((start, end) => old.read(start, end - start), ranges)))) return undefined;
  }
  for (const { start, end } of plan.after) if (!(await isNextRange(start, end))) return undefined;
  if (plan.secondLayout.length > 0 && !(await isNext(plan.secondLayout))) return undefined;
  if (plan.fragments.length > 0 && !(await haveSameTracks(old, rewritten))) return undefined;
  return hash.digest();
}

/** By the index of each: the plan cannot tell whether its own index is right. */
async function haveSameTracks(old: FilmFile, rewritten: FilmFile): Promise<boolean> {
  const [before, after] = [await hashOfTracks(old), await hashOfTracks(rewritten)];
  return before !== undefined && after?.equals(before) === true;
}
