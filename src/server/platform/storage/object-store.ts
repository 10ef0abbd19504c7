import type { ReadinessCheck } from "../http/readiness.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns whether a text has the form of an object's id. */
export function isObjectId(text: string): boolean {
  return uuid.test(text);
}

/**
 * The bytes of uploads, by id. An id has a part while its upload is unfinished and an object afterwards, never both.
 *
 * The contract of every implementation; `object-store.suite.ts` runs against each of them.
 * - An id is a lower-case UUID. One request at a time works on a part: the caller holds the upload's lock. It may lose the lock
 *   without noticing, so `complete` fences: whatever a late writer still writes is lost or refused, never in the object.
 * - The bytes of an object never change (FILE-9).
 * - "Durable" means that a power loss takes nothing away once the promise has resolved.
 * - Where nothing is stored under an id, methods resolve with `undefined`. A rejection means that the store does not know, so
 *   the caller keeps its record and tries again later, as after `unavailable`. `insufficient_storage` is final for an upload to a store
 *   that `isOnDisk`: its part is removed.
 */
export interface ObjectStore {
  /** Whether the bytes are on a disk of the site: a full one needs their room back, and a broken one may have lost some. */
  isOnDisk: boolean;

  /** Makes an empty part, durable. Rejects when the id has a part already. Not to be repeated. */
  begin(id: string): Promise<void>;

  /** Returns how many bytes of a part or an object are stored. A writer that runs may have more of them underway. */
  size(id: string): Promise<number | undefined>;

  /**
   * Opens a part to append to it. `offset` is the part's size, read under the lock. Undefined when there is no part, also when
   * another process has completed it meanwhile, and may be so when it has appended to it. The caller closes the writer.
   */
  append(id: string, offset: number): Promise<PartWriter | undefined>;

  /**
   * Makes a part an object, durable with all its bytes. Repeating is the same as once, also after a crash in between; several
   * callers at once get the same object. The caller closes what is returned.
   */
  complete(id: string): Promise<StoredBytes | undefined>;

  /** Stores a whole object at once, durable. Rejects when the id is taken. */
  put(id: string, bytes: Buffer): Promise<void>;

  /** Opens an object to read. The caller closes what is returned. */
  open(id: string): Promise<StoredBytes | undefined>;

  /**
   * Returns an address at which the store itself sends an object to whoever has the address, for so many seconds, with these headers. Not there
   * where a store sends nothing itself.
   */
  addressOf?(id: string, headers: SentHeaders, seconds: number): Promise<string>;

  /** Runs an action on a file of this machine that has the object's bytes for as long as the action runs, and is only read. */
  withFile<Result>(id: string, action: (path: string) => Promise<Result>): Promise<Result>;

  /** Removes a part and leaves an object alone. May be repeated; resolves when there is nothing. */
  removePart(id: string): Promise<void>;

  /**
   * Removes everything of an id, whose row is gone. May be repeated; resolves when there is nothing. While a backup is written, leaves
   * an object to a later sweep: the backup's rows may name it (BACKUP-1).
   */
  remove(id: string): Promise<void>;

  /** Returns when bytes of an id last changed. */
  lastChange(id: string): Promise<Date | undefined>;

  /** Iterates over every id with a part or an object, in batches. Ids that come or go meanwhile may be left out or repeated. */
  ids(): AsyncIterable<string[]>;

  /** Throws `insufficient_storage` unless so many bytes more would fit now. Reserves nothing. Resolves where a store has no end. */
  checkSpace(bytes: number): Promise<void>;

  /** Throws `insufficient_storage` unless `withFile` has room now for files of so many bytes. Resolves where it copies nothing. */
  checkFileSpace(bytes: number): Promise<void>;

  /** Returns how many bytes of files `withFile` could have at once on a disk without other files. Infinite where it copies nothing. */
  fileCapacity(): Promise<number>;

  /** Checks for `/readyz`. */
  readiness: ReadinessCheck[];
}

/** Headers of an object that a store sends. */
export interface SentHeaders {
  "content-type": string;
  "content-disposition": string;
}

/** Appends to a part. One call at a time. */
export interface PartWriter {
  /** Returns the first bytes of the part, at most `length`. */
  head(length: number): Promise<Buffer>;

  /**
   * Takes the next bytes. Resolves when the next call may come, so that memory stays bounded. Rejects with the error of an earlier
   * write, with `insufficient_storage`, `unavailable`, or `upload_moved_on` where the part is completed or removed; nothing may be
   * written after that.
   */
  write(piece: Buffer): Promise<void>;

  /** Resolves when all bytes taken survive the end of this process. A power loss may take the last of them until `complete`. */
  flush(): Promise<void>;

  /**
   * Ends the writer. `isAlone` is false when another writer may have opened the part meanwhile, as when the lock was lost; then
   * `complete` takes precautions.
   */
  close(isAlone: boolean): Promise<void>;
}

/** An object that is open to read. */
export interface StoredBytes {
  /** The length in bytes, known before any byte is read. */
  size: number;

  /** Returns the first bytes, at most `length`. */
  head(length: number): Promise<Buffer>;

  /**
   * Iterates over the bytes from `start` to `end`, both included, and closes itself at the end or by `return`. A piece may be overwritten
   * once the next is asked for. Throws at a byte that cannot be read, the first included, and never ends early.
   */
  pieces(start: number, end: number): AsyncGenerator<Buffer, void>;

  /** May be repeated, also after `pieces`. */
  close(): Promise<void>;
}
