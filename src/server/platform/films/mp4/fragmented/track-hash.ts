import { createHash, type Hash } from "node:crypto";
import type { FilmFile } from "../../film-file.ts";
import { readLayout } from "../layout.ts";
import { readersOf, type TrackReader } from "./track-reader.ts";

/** Samples that follow each other are read at once, up to so many bytes. */
const maxAtOnceBytes = 1024 ** 2;

/**
 * Returns the SHA-256 of the tracks of a film: of the times, size and bytes of each sample, wherever it is in the file. Edits are no part of it.
 * Undefined for a film whose index cannot be read.
 */
export async function hashOfTracks(file: FilmFile): Promise<Buffer | undefined> {
  const { index } = await readLayout(file);
  const readers = index && readersOf(index.bytes, index.moov, index.movie);
  if (readers === undefined) return undefined;
  const hash = createHash("sha256");
  for (const reader of readers) await addTrack(hash, file, reader);
  return hash.digest();
}

async function addTrack(hash: Hash, file: FilmFile, { track, next, samples }: TrackReader): Promise<void> {
  const [facts, content] = [createHash("sha256"), createHash("sha256")];
  facts.update(`${track.id}, ${track.perSecond}`);
  let run = { start: 0, end: 0 };
  const addRun = async (): Promise<unknown> => content.update(await file.read(run.start, run.end - run.start));
  for (let sample = next; sample !== undefined; sample = samples.next().value) {
    const { offset, size, duration, shift, isSync } = sample;
    facts.update(Int32Array.of(size, duration, shift, Number(isSync)));
    if (offset === run.end && offset + size - run.start <= maxAtOnceBytes) run.end += size;
    else {
      await addRun();
      run = { start: offset, end: offset + size };
    }
  }
  await addRun();
  hash.update(facts.digest()).update(content.digest());
}
