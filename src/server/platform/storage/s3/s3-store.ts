import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { systemClock } from "../../clock.ts";
import type { ReadinessCheck } from "../../http/readiness.ts";
import { DiskSpace } from "../disk/disk-space.ts";
import type { ObjectStore, PartWriter, SentHeaders, StoredBytes } from "../object-store.ts";
import { makeFetchFolder, removeFetchFolder } from "./fetched-files.ts";
import { giveBack, takeBuffer } from "./part-buffers.ts";
import { S3Bucket, type NamedPart } from "./s3-bucket.ts";
import { bytesOf } from "./s3-bytes.ts";
import { storeFault, type S3Settings } from "./s3-client.ts";
import { S3PartWriter } from "./s3-part-writer.ts";
import { findUpload, idsIn, keyOf, partSize, readInto, removeBeside, uploadsOf, type StoredUpload } from "./s3-part.ts";

/** Milliseconds for a store to say whether a bucket is there, without which an object cannot be called missing. */
const maxCheckMs = 10_000;

/** How often something is read anew that another request has changed meanwhile. */
const tries = 5;

/**
 * Opens the store in a bucket. `folder` is for the files of `withFile`, `space` the room on their disk; `areRemovalsHeld` returns whether a
 * backup is being written. The bucket may be away: `readiness` reports it.
 */
export function openS3Store(
  settings: S3Settings,
  folder: string,
  areRemovalsHeld = (): Promise<boolean> => Promise.resolve(false),
  space = new DiskSpace(folder, systemClock),
): ObjectStore {
  return new S3Store(new S3Bucket(settings), folder, areRemovalsHeld, space);
}

/**
 * An object is one key. A part is a multipart upload of that key: the store makes the object of it in one step, refuses what comes later, and
 * nobody sees it before. What is too little for a part of the upload is stored beside it as a tail.
 */
class S3Store implements ObjectStore {
  readonly isOnDisk = false;
  readonly readiness: ReadinessCheck[];
  readonly #bucket: S3Bucket;
  readonly #folder: string;
  readonly #areRemovalsHeld: () => Promise<boolean>;
  readonly #space: DiskSpace;

  constructor(bucket: S3Bucket, folder: string, areRemovalsHeld: () => Promise<boolean>, space: DiskSpace) {
    this.#bucket = bucket;
    this.#folder = folder;
    this.#areRemovalsHeld = areRemovalsHeld;
    this.#space = space;
    this.readiness = [{ name: "storage", check: () => bucket.fault() }, space.readiness];
  }

  async begin(id: string): Promise<void> {
    if ((await uploadsOf(this.#bucket, id)).length > 0) throw new Error(`The part ${id} is there already.`);
    await this.#bucket.beginUpload(keyOf(id));
  }

  async size(id: string): Promise<number | undefined> {
    const sizeOfObject = async (): Promise<number | undefined> => (await this.#bucket.head(keyOf(id)))?.size;
    // Once more, in case it was completed in between.
    return (await sizeOfObject()) ?? (await findUpload(this.#bucket, id))?.size ?? (await sizeOfObject());
  }

  async append(id: string, offset: number): Promise<PartWriter | undefined> {
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const stored = await findUpload(this.#bucket, id);
      // A part that has grown meanwhile is written by another request, which may complete it.
      if (stored === undefined || stored.parts.length * partSize > offset) return undefined;
      const writer = await this.#withRest(stored, (rest) =>
        Promise.resolve(new S3PartWriter(this.#bucket, id, stored, rest.subarray(0, offset - stored.parts.length * partSize))),
      );
      if (writer) return writer;
    }
    throw new Error(`The part ${id} is changed all the time.`);
  }

  async complete(id: string): Promise<StoredBytes | undefined> {
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const object = await this.open(id);
      if (object) {
        await removeBeside(this.#bucket, id);
        return object;
      }
      const stored = await findUpload(this.#bucket, id);
      // Another caller may have completed it in between.
      if (stored === undefined) return this.open(id);
      await this.#completeFrom(stored);
    }
    throw new Error(`The part ${id} is changed all the time.`);
  }

  async put(id: string, bytes: Buffer): Promise<void> {
    if ((await this.#bucket.head(keyOf(id))) !== undefined) throw new Error(`The object ${id} is there already.`);
    await this.#bucket.put(keyOf(id), bytes);
  }

  async open(id: string): Promise<StoredBytes | undefined> {
    const found = await this.#bucket.head(keyOf(id));
    if (found) return bytesOf(this.#bucket, found.key, found.size);
    // A reply without a body does not say whether the object or the whole bucket is missing.
    const fault = await this.#bucket.fault(maxCheckMs);
    // Some keys may not ask for the bucket, and are refused.
    if (fault === "missing" || fault === "unreachable") throw storeFault(new Error(`The bucket is ${fault}.`));
    return undefined;
  }

  addressOf(id: string, headers: SentHeaders, seconds: number): Promise<string> {
    return this.#bucket.addressOf(keyOf(id), headers, seconds);
  }

  async withFile<Result>(id: string, action: (path: string) => Promise<Result>): Promise<Result> {
    const folder = await makeFetchFolder(this.#folder);
    try {
      const path = join(folder, id);
      const bytes = await this.open(id);
      if (bytes === undefined) throw new Error(`The object ${id} is gone.`);
      await this.#space.reserve(bytes.size, (count) =>
        pipeline(counted(bytes.pieces(0, bytes.size - 1), count), createWriteStream(path, { mode: 0o600 })),
      );
      return await action(path);
    } finally {
      await removeFetchFolder(folder);
    }
  }

  async removePart(id: string): Promise<void> {
    for (const upload of await uploadsOf(this.#bucket, id)) await this.#bucket.abortUpload(upload);
    await removeBeside(this.#bucket, id);
  }

  async remove(id: string): Promise<void> {
    await this.removePart(id);
    if (!(await this.#areRemovalsHeld())) await this.#bucket.delete(keyOf(id));
  }

  async lastChange(id: string): Promise<Date | undefined> {
    const object = await this.#bucket.head(keyOf(id));
    return object?.changed ?? (await findUpload(this.#bucket, id))?.lastChange;
  }

  ids(): AsyncIterable<string[]> {
    return idsIn(this.#bucket);
  }

  /** A bucket has no end. */
  checkSpace(): Promise<void> {
    return Promise.resolve();
  }

  checkFileSpace(bytes: number): Promise<void> {
    return this.#space.check(bytes);
  }

  fileCapacity(): Promise<number> {
    return this.#space.capacity();
  }

  /** Runs an action on the bytes behind the whole parts; undefined when they have been replaced meanwhile. */
  async #withRest<Result>({ tail }: StoredUpload, action: (rest: Buffer) => Promise<Result>): Promise<Result | undefined> {
    const room = takeBuffer();
    try {
      const rest = tail ? await readInto(room, this.#bucket, tail.key) : room.subarray(0, 0);
      return rest && (await action(rest));
    } finally {
      giveBack(room);
    }
  }

  /** Makes an object of the parts and the tail that were found, unless they have changed meanwhile. */
  async #completeFrom(stored: StoredUpload): Promise<void> {
    await this.#withRest(stored, async (rest) => {
      const parts: NamedPart[] = [...stored.parts];
      // An upload without any part cannot be completed, so an empty one has an empty part.
      if (rest.length > 0 || parts.length === 0) {
        const last = await this.#bucket.uploadPart(stored.upload, parts.length + 1, rest);
        if (last === undefined) return;
        parts.push(last);
      }
      await this.#bucket.completeUpload(stored.upload, parts);
    });
  }
}

async function* counted(pieces: AsyncIterable<Buffer>, count: (bytes: number) => void): AsyncGenerator<Buffer, void> {
  for await (const piece of pieces) {
    count(piece.length);
    yield piece;
  }
}
