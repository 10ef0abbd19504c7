import type { IncomingMessage } from "node:http";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { FileStore } from "@tus/file-store";
import { Upload } from "@tus/server";
import { ProductError } from "#domain/messages";
import { sniffLength, type BucketName } from "#domain/upload-rules";
import type { Clock } from "../clock.ts";
import type { Connection } from "../db/database.ts";
import { complete } from "./completion.ts";
import { SourceBrokenError, takeIn } from "./intake.ts";
import type { ObjectFolder } from "./object-folder.ts";
import type { Bucket } from "./object-store.ts";
import { deleteObjectIfUnused, findObject, type StoredObject } from "./queries.ts";
import { headOf, TypeCheck } from "./type-check.ts";
import { UnfinishedUploads, type UnfinishedUpload } from "./unfinished-uploads.ts";
import { UploadLocks } from "./upload-locks.ts";

/** One request of the tus protocol, while it runs. */
export interface TusCall {
  body: IncomingMessage;
  ownerId: string;
  receiving: boolean;
  /** A newer request wants the upload. */
  stopped: boolean;
  /** What went wrong, before @tus/server made a text of it. */
  failure?: unknown;
}

export interface TusStoreParts {
  db: Connection;
  clock: Clock;
  folder: ObjectFolder;
  buckets: ReadonlyMap<BucketName, Bucket>;
}

/**
 * @tus/file-store with what it lacks: it knows owners, refuses wrong content at its first bytes, and turns an upload whose last
 * byte is on disk into a stored object before anyone is told of it. All of it runs under the upload's lock. It reads the request
 * itself instead of the web stream that @tus/server hands on: no copies on the way, and a refused body can be read away.
 */
export class TusStore extends FileStore {
  readonly locks = new UploadLocks<TusCall>(interrupt);
  readonly #parts: TusStoreParts;
  readonly #unfinished: UnfinishedUploads;

  constructor(parts: TusStoreParts) {
    const unfinished = new UnfinishedUploads(parts.folder, (id) => this.#callOn(id).ownerId);
    super({ directory: parts.folder.path, configstore: unfinished });
    this.extensions = ["creation", "creation-with-upload", "termination"];
    this.#parts = parts;
    this.#unfinished = unfinished;
  }

  /** Whose upload this is and in which bucket, finished or not; undefined when it is not known. */
  async belongsTo(id: string): Promise<{ ownerId: string | null; bucket: Bucket } | undefined> {
    const state = await this.#unfinished.read(id);
    if (state) return { ownerId: state.owner_id, bucket: this.#bucketOf(state) };
    const object = await findObject(this.#parts.db, id);
    const bucket = object && this.#parts.buckets.get(object.bucket);
    return bucket && { ownerId: object.owner_id, bucket };
  }

  /** How far an upload is. One that has every byte but no row yet, since a crash came between, is completed first. */
  override async getUpload(id: string): Promise<Upload> {
    const state = await this.#unfinished.read(id);
    if (state === undefined) return finishedUpload(await findObject(this.#parts.db, id), id);
    const upload = await super.getUpload(id);
    if (upload.offset === upload.size) await this.#complete(id, state);
    return upload;
  }

  /**
   * Takes in a request's body from `offset` on; answers the new offset. Before the last byte it survives the end of this
   * process, and a power loss only makes the client go on a little earlier, as HEAD then tells it; with the last byte all of it
   * is synced.
   */
  override async write(handedOn: Readable, id: string, offset: number): Promise<number> {
    handedOn.resume();
    const state = await this.#unfinished.read(id);
    // Only a finished upload has no state: nothing can follow its last byte.
    if (state === undefined) return offset;
    const end = offset + (await this.#receive(id, state, offset).catch((error: unknown) => this.#refuse(id, error)));
    if (end === state.size) await this.#complete(id, state);
    return end;
  }

  /** Ends an upload for good; throws `upload_used` when a video or payment already has it. */
  override async remove(id: string): Promise<void> {
    if (!(await deleteObjectIfUnused(this.#parts.db, id))) throw new ProductError("upload_used");
    await this.#parts.folder.remove(id);
  }

  async #receive(id: string, state: UnfinishedUpload, offset: number): Promise<number> {
    const call = this.#callOn(id);
    const file = await open(this.#parts.folder.fileOf(id), "r+");
    try {
      const earlier = offset < sniffLength ? (await headOf(file)).subarray(0, offset) : undefined;
      const check = earlier && new TypeCheck(this.#bucketOf(state), state.size, earlier);
      if (call.stopped) throw new SourceBrokenError("A newer request has the upload.");
      call.receiving = true;
      return await takeIn({
        source: call.body,
        file,
        offset,
        room: state.size - offset,
        tooMany: "body_too_large",
        look: (piece) => check?.look(piece),
      });
    } finally {
      call.receiving = false;
      await file.close();
    }
  }

  /** What came is kept after a broken connection and on a full disk, else nothing is: after any other fault it is not sure. */
  async #refuse(id: string, error: unknown): Promise<never> {
    if (error instanceof SourceBrokenError) throw new ProductError("upload_moved_on");
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") await this.#parts.folder.remove(id);
    throw error;
  }

  async #complete(id: string, state: UnfinishedUpload): Promise<void> {
    const { db, folder, clock } = this.#parts;
    const filename = state.metadata["filename"] ?? "";
    const upload = { id, ownerId: state.owner_id, filename, bucket: this.#bucketOf(state) };
    try {
      await complete(db, folder, upload, clock.now());
    } catch (error) {
      // A refusal is final; a database or decoder that is not there is not: the client's next HEAD or PATCH completes the upload.
      if (error instanceof ProductError && error.status !== 503) await folder.remove(id);
      throw error;
    }
    await this.#unfinished.delete(id);
  }

  #bucketOf(state: UnfinishedUpload): Bucket {
    const bucket = this.#parts.buckets.get(state.metadata["bucketName"] as BucketName);
    if (bucket === undefined) throw new ProductError("upload_not_found");
    return bucket;
  }

  /** The request that has the upload's lock: @tus/server itself tells its store nothing of the request. */
  #callOn(id: string): TusCall {
    const call = this.locks.holderOf(id);
    if (call === undefined) throw new Error("The tus store is used outside of a request.");
    return call;
  }
}

function finishedUpload(object: StoredObject | undefined, id: string): Upload {
  if (object === undefined) throw new ProductError("upload_not_found");
  const metadata = { bucketName: object.bucket, filename: object.filename, filetype: object.content_type };
  return new Upload({ id, size: object.size, offset: object.size, metadata });
}

/** Cuts the connection while a body arrives on it; once all is here, the call ends by itself. */
function interrupt(call: TusCall): void {
  call.stopped = true;
  if (call.receiving) call.body.destroy();
}
