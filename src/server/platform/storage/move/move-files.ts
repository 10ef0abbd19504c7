import type { ObjectStore } from "../object-store.ts";
import { isDiskError, isForbidden } from "../outage.ts";
import { copyObject, digestOf, type FileRecord } from "./copy-object.ts";

/** Files under way at once: small ones wait for replies, and each large one takes 16 MB of memory. */
const atOnce = 4;

/** `missing` and `damaged` are said of the source, `different` of a file that the target has already. */
export interface FileFault {
  id: string;
  kind: "missing" | "damaged" | "different";
}

export interface FileMove {
  from: ObjectStore;
  to: ObjectStore;
  files: AsyncIterable<FileRecord>;
  /** Returns whether a file's row is still there. */
  isStored: (id: string) => Promise<boolean>;
  /** Files whose bytes at the target were found right before. */
  checked: { has(id: string): boolean; add(id: string): Promise<void> };
  progress: MoveProgress;
}

/** Counted while a move runs. */
export interface MoveProgress {
  moved: number;
  /** Found at the target already. */
  present: number;
  /** Bytes of both. */
  bytes: number;
  faults: FileFault[];
}

/**
 * Copies every file to another store, and leaves the source as it is (FILE-20). A file that the target has is compared by its SHA-256, unless an
 * earlier run has; one that was cut off goes on after its last bytes there. The bytes of a file never change, so the site may serve meanwhile from
 * either store. Rejects with the error of a store, after which a repetition goes on; what is wrong with a single file is added to `progress.faults`.
 */
export async function moveFiles(move: FileMove): Promise<void> {
  const files = move.files[Symbol.asyncIterator]();
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    while (failures.length === 0) {
      const next = await files.next();
      if (next.done === true) return;
      await moveFile(move, next.value);
    }
  };
  // Each ends what it has begun before the error is reported.
  await Promise.all(Array.from({ length: atOnce }, () => work().catch((error: unknown) => failures.push(error))));
  if (failures.length > 0) throw failures[0];
}

async function moveFile(move: FileMove, file: FileRecord): Promise<void> {
  const { progress, checked } = move;
  const outcome = await outcomeOf(move, file).catch((error: unknown) => damagedBy(move, file, error));
  if (outcome === "moved" || outcome === "present") {
    if (!checked.has(file.id)) await checked.add(file.id);
    progress[outcome] += 1;
    progress.bytes += file.size;
    // A file may be removed with its row at any time.
  } else if (await move.isStored(file.id)) progress.faults.push({ id: file.id, kind: outcome });
}

async function outcomeOf(move: FileMove, file: FileRecord): Promise<"moved" | "present" | FileFault["kind"]> {
  const there = await move.to.open(file.id);
  if (there) {
    await there.close();
    const isKnown = there.size === file.size && move.checked.has(file.id);
    return isKnown || (await isSame(move, file)) ? "present" : "different";
  }
  return copyObject(move.from, move.to, file);
}

/** Returns `damaged` where the source's file is what cannot be read; the target then has no part. Throws any other error. */
async function damagedBy({ from, to }: FileMove, { id }: FileRecord, error: unknown): Promise<"damaged"> {
  // The target may be a disk too, so the source is asked again.
  const isOfSource = isUnreadable(error) && (await digestOf(from, id).then(() => false, isUnreadable));
  if (!isOfSource || (isForbidden(error) && (await isFolderClosed(from, id)))) throw error;
  await to.removePart(id);
  return "damaged";
}

const isUnreadable = (error: unknown): boolean => isDiskError(error) || isForbidden(error);

/** A file in a folder that is open has a size, whether or not it may be read. */
function isFolderClosed(store: ObjectStore, id: string): Promise<boolean> {
  return store.size(id).then(() => false, isForbidden);
}

/** Returns whether the target has the right bytes: those that the database names, or else those of the source, where it has the file. */
async function isSame({ from, to }: FileMove, { id, size, sha256 }: FileRecord): Promise<boolean> {
  const there = await digestOf(to, id);
  if (there?.size !== size) return false;
  const expected = sha256 ?? (await digestOf(from, id))?.sha256;
  return expected === undefined || expected.equals(there.sha256);
}
