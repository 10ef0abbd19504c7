import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { gather } from "../../../platform/films/gather.ts";
import { boxHeaderBytes } from "../../../platform/films/mp4/fragmented/write-box.ts";
import { lengthOfFilm, type RewritePlan } from "../../../platform/films/mp4/rewrite-plan.ts";
import { causesOf } from "../../../platform/db/unavailable.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { ObjectStore, PartWriter } from "../../../platform/storage/object-store.ts";
import { collect, piecesOf, type ByteRange } from "../../../platform/storage/object-bytes.ts";
import { insertObject, type StoredObject } from "../../../platform/storage/queries.ts";
import { filmName } from "../bucket.ts";
import { FilmLostError, requireClaim, type FilmParts } from "./claimed-film.ts";
import { insertRewrittenFilm, lockObject, replaceObject, updateFilm, type FilmRow } from "./queries.ts";

/** Bytes of the index, and of the fragments, that are written at once. */
const pieceBytes = 256 * 1024;

/** How often the replacement gives way to a change of the video, and the milliseconds in between. */
const replaceTries = 10;
const giveWayMs = 200;

/**
 * Returns whether the disk could ever have a film and its copy, which are both fetched from a bucket to be compared (FILE-18). Throws
 * `insufficient_storage` while it could but other files are in the way. `bytes` are those of both.
 */
export async function canCompare({ objects }: Pick<FilmParts, "objects">, bytes: number): Promise<boolean> {
  if (bytes > (await objects.fileCapacity())) return false;
  await objects.checkFileSpace(bytes);
  return true;
}

/**
 * Writes a film anew as a new object, compares it with the old one, and gives it to the video in one transaction (FILE-12, FILE-16). Leaves a film as
 * it is that cannot be compared. Throws what `prepareFilm` throws.
 */
export async function rewriteFilm(
  parts: FilmParts,
  film: FilmRow,
  old: StoredObject,
  plan: RewritePlan,
  stop: AbortSignal,
): Promise<void> {
  const { db, objects, films } = parts;
  const id = randomUUID();
  const size = lengthOfFilm(plan) + plan.secondLayout.length;
  if (!(await canCompare(parts, old.size + size))) {
    requireClaim(await updateFilm(db, film, { next_attempt_at: null }));
    return;
  }
  await objects.checkSpace(size);
  requireClaim(await updateFilm(db, film, { rewriting_id: id }));
  let sha256: Buffer | undefined;
  try {
    await write(objects, id, old.id, plan, stop);
    sha256 = await objects.withFile(old.id, (path) =>
      objects.withFile(id, (rewrittenPath) => films.compare(path, old.content_type, rewrittenPath)),
    );
    if (sha256 === undefined) throw new Error(`The rewritten film ${id} differs from ${old.id}.`);
  } catch (error) {
    await objects.remove(id);
    throw error;
  }
  await replace(parts, film, old, { id, sha256, plan }).catch(async (error: unknown) => {
    // Any other failure may follow a commit, so the bytes stay: the next attempt removes them if there is one.
    if (error instanceof FilmLostError) await objects.remove(id);
    throw error;
  });
}

/** Writes the new object, durable with all its bytes. */
async function write(objects: ObjectStore, id: string, oldId: string, plan: RewritePlan, stop: AbortSignal): Promise<void> {
  await objects.begin(id);
  const read = (start: number, end: number): Promise<Buffer> => collect(piecesOf(objects, oldId, { start, end }));
  const writer = await objects.append(id, 0);
  // Stryker disable next-line StringLiteral: any error says so.
  if (writer === undefined) throw new Error(`The part ${id} is gone.`);
  try {
    await copy(objects, oldId, plan.before, writer, stop);
    await writeAll(writer, plan.index);
    for (const ranges of plan.fragments) {
      stop.throwIfAborted();
      await writeAll(writer, await gather(read, ranges));
    }
    for (const range of plan.after) await copy(objects, oldId, range, writer, stop);
    await writeAll(writer, plan.secondLayout);
    await writer.flush();
  } finally {
    // Stryker disable next-line BooleanLiteral: another writer would need precautions, which take nothing from this one.
    await writer.close(true);
  }
  const stored = await objects.complete(id);
  // Stryker disable next-line StringLiteral: any error says so.
  if (stored === undefined) throw new Error(`The part ${id} is gone.`);
  await stored.close();
}

async function writeAll(writer: PartWriter, bytes: Buffer): Promise<void> {
  // Stryker disable next-line Boundary: an empty piece more is no harm.
  for (let at = 0; at < bytes.length; at += pieceBytes) await writer.write(bytes.subarray(at, at + pieceBytes));
}

async function copy(
  objects: ObjectStore,
  id: string,
  { start, end }: ByteRange,
  writer: PartWriter,
  stop: AbortSignal,
): Promise<void> {
  if (start === end) return;
  for await (const piece of piecesOf(objects, id, { start, end })) {
    stop.throwIfAborted();
    // The writer keeps it for a while.
    await writer.write(Buffer.from(piece));
  }
}

interface Rewritten {
  id: string;
  sha256: Buffer;
  plan: RewritePlan;
}

/** Gives the video its new object. Of two transactions that wait for each other, this one is repeated. */
async function replace(parts: FilmParts, film: FilmRow, old: StoredObject, rewritten: Rewritten): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await replaceOnce(parts, film, old, rewritten);
    } catch (error) {
      const isLockTimeout = causesOf(error).some(({ code }) => code === "55P03");
      if (!isLockTimeout || tries === replaceTries) throw error;
      await pause(giveWayMs);
    }
  }
}

function replaceOnce(
  { db, clock }: FilmParts,
  film: FilmRow,
  old: StoredObject,
  { id, sha256, plan }: Rewritten,
): Promise<void> {
  const now = clock.now();
  return transaction(db, async (tx) => {
    await lockObject(tx, old.id);
    requireClaim(await updateFilm(tx, film, { next_attempt_at: null, rewriting_id: null }));
    const name = filmName(id, old.filename, old.content_type);
    const length = lengthOfFilm(plan);
    const fragments_at = plan.secondLayout.length > 0 ? length + boxHeaderBytes : null;
    await insertObject(tx, { ...old, id, name, size: length + plan.secondLayout.length, created_at: now });
    await insertRewrittenFilm(tx, { oldId: old.id, object_id: id, sha256, fragments_at });
    await replaceObject(tx, old.id, id, now);
  });
}
