import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { DataStore, Upload } from "@tus/server";
import { ProductError, type ErrorCode } from "#domain/errors/messages";
import { sniffLength } from "#domain/files/file-types";
import type { Dependencies } from "../../../dependencies.ts";
import type { Principal } from "../../http/access.ts";
import { isDiskFull } from "../../disk-full.ts";
import { completeUpload } from "../uploads/complete-upload.ts";
import { SourceBrokenError, receiveBody } from "../uploads/receive-body.ts";
import { beginUpload } from "../uploads/new-upload.ts";
import type { UploadBucket } from "../bucket.ts";
import type { PartWriter } from "../object-store.ts";
import { isDiskError } from "../outage.ts";
import { deleteUploadIfUnused, findObject, type StoredObject } from "../queries.ts";
import { TypeCheck } from "../uploads/type-check.ts";
import { deleteUnfinished, findUnfinished, type UnfinishedUpload } from "../uploads/unfinished-uploads.ts";
import { UploadLocks } from "../locks/upload-locks.ts";

/** One request of the tus protocol, while it runs. */
export interface TusCall {
  body: IncomingMessage;
  principal: Principal;
  receiving: boolean;
  /** A newer request wants the upload. */
  stopped: boolean;
  /** The upload, unless this request has finished it. */
  unfinishedId?: string | undefined;
  /** What went wrong, before @tus/server made a text of it. */
  failure?: unknown;
}

/** Errors after which a store keeps what it has of an upload. */
const keepsBytes: ReadonlySet<ErrorCode> = new Set(["unavailable", "upload_moved_on"]);
const keepsBytesInBucket: ReadonlySet<ErrorCode> = new Set([...keepsBytes, "insufficient_storage"]);

/**
 * The data store behind @tus/server. It checks owners, refuses wrong content at its first bytes, and makes an upload a stored
 * object before its last byte is confirmed. All methods run under the upload's lock. It reads the request itself instead of the web
 * stream that @tus/server passes: nothing is copied, and the rest of a refused body can be discarded.
 */
export class TusStore extends DataStore {
  readonly locks: UploadLocks<TusCall>;
  override extensions = ["creation", "creation-with-upload", "termination", "expiration"];
  readonly #deps: Pick<Dependencies, "db" | "clock" | "objects">;
  readonly #buckets: ReadonlyMap<string, UploadBucket>;

  constructor(deps: Pick<Dependencies, "db" | "clock" | "objects">, buckets: ReadonlyMap<string, UploadBucket>) {
    super();
    this.locks = new UploadLocks(deps.db.$client, interrupt);
    this.#deps = deps;
    this.#buckets = buckets;
  }

  /** Returns the owner and bucket of an upload, finished or not; undefined for an unknown id. */
  async belongsTo(id: string): Promise<{ ownerId: string | null; bucket: UploadBucket } | undefined> {
    const { db } = this.#deps;
    const found = (await findUnfinished(db, id)) ?? (await findObject(db, id));
    return found && { ownerId: found.owner_id, bucket: this.#bucketOf(found) };
  }

  /** Throws what `beginUpload` throws. The part is durable before its address is sent. */
  override async create(upload: Upload): Promise<Upload> {
    const { id, size = 0, metadata = {} } = upload;
    const call = this.#callOn(id);
    const bucket = this.#bucketOf({ bucket: metadata["bucketName"] ?? "" });
    await beginUpload(this.#deps, call.principal, bucket, { id, size, metadata });
    try {
      await this.#deps.objects.begin(id);
    } catch (error) {
      await this.#drop(id);
      throw error;
    }
    call.unfinishedId = id;
    return upload;
  }

  /** Returns the state of an upload. One with every byte but without a row, as after a crash in between, is completed first. */
  override async getUpload(id: string): Promise<Upload> {
    const { db, objects } = this.#deps;
    const unfinished = await findUnfinished(db, id);
    if (unfinished === undefined) return finishedUpload(await findObject(db, id), id);
    const { size, metadata } = unfinished;
    const offset = await objects.size(id);
    if (offset === undefined) {
      await deleteUnfinished(db, id);
      throw new ProductError("upload_not_found");
    }
    if (offset === size) await this.#complete(unfinished);
    else this.#callOn(id).unfinishedId = id;
    return new Upload({ id, size, offset, metadata });
  }

  /**
   * Appends a request's body at `offset` and returns the new offset. The bytes survive the end of this process; after a power
   * loss the client resumes a little earlier, at the offset in the reply to HEAD. With the last byte all of them are durable.
   */
  override async write(handedOn: Readable, id: string, offset: number): Promise<number> {
    handedOn.resume();
    const unfinished = await findUnfinished(this.#deps.db, id);
    // Nothing can follow the last byte of a finished upload.
    if (unfinished === undefined) return offset;
    // Nothing has come yet: whatever fails here, the bytes stay.
    const writer = await this.#deps.objects.append(id, offset);
    if (writer === undefined) throw new ProductError("upload_moved_on");
    const received = this.#receive(unfinished, offset, writer);
    const end = offset + (await received.catch((error: unknown) => this.#refuse(id, error)));
    if (end === unfinished.size) await this.#complete(unfinished);
    return end;
  }

  /** Deletes an upload; throws `upload_used` when a video or a payment refers to it or to its copy, whose bytes the sweep removes. */
  override async remove(id: string): Promise<void> {
    const { db, objects } = this.#deps;
    if (!(await deleteUploadIfUnused(db, id))) throw new ProductError("upload_used");
    await deleteUnfinished(db, id);
    await objects.remove(id);
  }

  async #receive(unfinished: UnfinishedUpload, offset: number, writer: PartWriter): Promise<number> {
    const { id, size } = unfinished;
    const call = this.#callOn(id);
    try {
      const earlier = offset < sniffLength ? (await writer.head(sniffLength)).subarray(0, offset) : undefined;
      const check = earlier && new TypeCheck(this.#bucketOf(unfinished), unfinished.metadata["filename"] ?? "", size, earlier);
      if (call.stopped) throw new SourceBrokenError("A newer request has the upload.");
      call.receiving = true;
      return await receiveBody({
        source: call.body,
        writer,
        room: size - offset,
        tooMany: () => new ProductError("body_too_large"),
        look: (piece) => check?.look(piece),
      });
    } finally {
      call.receiving = false;
      await writer.close(this.locks.isHeld(id));
    }
  }

  /**
   * After a broken connection, and while a store cannot be reached or a bucket is full, the bytes are kept. Otherwise they are removed: a full
   * disk needs the space, other faults leave doubts.
   */
  async #refuse(id: string, error: unknown): Promise<never> {
    if (error instanceof SourceBrokenError) throw new ProductError("upload_moved_on");
    const kept = this.#deps.objects.isOnDisk ? keepsBytes : keepsBytesInBucket;
    if (error instanceof ProductError && kept.has(error.code)) throw error;
    await this.#drop(id);
    throw error;
  }

  /** Removes what has arrived, the bytes first: the database may need their space. The sweep repeats what fails here. */
  async #drop(id: string): Promise<void> {
    await this.#deps.objects.removePart(id);
    await deleteUnfinished(this.#deps.db, id);
  }

  /** The same for an upload that may be sealed already, unless another request has made an object of it. */
  async #giveUp(id: string): Promise<void> {
    const { db, objects } = this.#deps;
    if ((await findObject(db, id)) === undefined) await objects.remove(id);
    await deleteUnfinished(db, id);
  }

  async #complete(unfinished: UnfinishedUpload): Promise<void> {
    const { db, objects, clock } = this.#deps;
    const { id, owner_id: ownerId, size, metadata } = unfinished;
    const upload = { id, ownerId, size, filename: metadata["filename"] ?? "", bucket: this.#bucketOf(unfinished) };
    try {
      await completeUpload(db, objects, upload, clock.now());
      this.#callOn(id).unfinishedId = undefined;
    } catch (error) {
      // A refusal is final, a full disk needs the space, and a broken one has lost bytes; a database or decoder that is not there is none of
      // these, nor is the disk to which a bucket's bytes are fetched: the client's next HEAD or PATCH completes the upload.
      const isRefusal = error instanceof ProductError && error.status !== 503;
      const isOfDisk = objects.isOnDisk && (isDiskFull(error) || isDiskError(error));
      if (isRefusal || isOfDisk) await this.#giveUp(id);
      throw error;
    }
  }

  #bucketOf({ bucket: name }: { bucket: string }): UploadBucket {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) throw new ProductError("upload_not_found");
    return bucket;
  }

  /** Returns the request that has the upload's lock: @tus/server does not pass the request to its store. */
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
