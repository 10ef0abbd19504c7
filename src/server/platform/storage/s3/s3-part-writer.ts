import { ProductError } from "#domain/errors/messages";
import type { PartWriter } from "../object-store.ts";
import { giveBack, takeBuffer } from "./part-buffers.ts";
import type { S3Bucket } from "./s3-bucket.ts";
import { headKeyOf, headSize, partSize, putTail, readInto, removeBeside, type StoredUpload, type Tail } from "./s3-part.ts";

/** Sends whole parts in order, one while the next is gathered: two of them in memory. `flush` stores the rest as a tail beside them. */
export class S3PartWriter implements PartWriter {
  readonly #bucket: S3Bucket;
  readonly #id: string;
  readonly #upload: StoredUpload["upload"];
  #gathered = takeBuffer();
  #length: number;
  #sent: Buffer | undefined;
  /** Whole parts that are stored or underway. */
  #count: number;
  #tail: Tail | undefined;
  /** Whether bytes have come since the last flush. */
  #hasNewBytes = false;
  #sending: Promise<void> = Promise.resolve();

  /** `rest` has the bytes behind the whole parts. */
  constructor(bucket: S3Bucket, id: string, { upload, parts, tail }: StoredUpload, rest: Buffer) {
    this.#bucket = bucket;
    this.#id = id;
    this.#upload = upload;
    this.#count = parts.length;
    this.#tail = tail;
    this.#length = rest.copy(this.#gathered);
  }

  /** At most 64 kB. */
  async head(length: number): Promise<Buffer> {
    if (this.#count === 0) return Buffer.from(this.#gathered.subarray(0, Math.min(length, this.#length)));
    await this.#sending;
    const head = await readInto(Buffer.alloc(headSize), this.#bucket, headKeyOf(this.#id));
    if (head === undefined) throw new Error(`The first bytes of upload ${this.#id} are gone.`);
    return head.subarray(0, length);
  }

  async write(piece: Buffer): Promise<void> {
    for (let taken = 0; taken < piece.length;) {
      const copied = piece.copy(this.#gathered, this.#length, taken);
      taken += copied;
      this.#length += copied;
      this.#hasNewBytes = true;
      if (this.#length === partSize) await this.#sendPart();
    }
  }

  async flush(): Promise<void> {
    await this.#sending;
    if (!this.#hasNewBytes) return;
    const [former, after, length] = [this.#tail, this.#count, this.#length];
    if (length > 0) this.#tail = await putTail(this.#bucket, this.#id, after, this.#gathered.subarray(0, length));
    // A late writer may have less than what is stored.
    if (former && (former.after < after || former.length < length)) await this.#bucket.delete(former.key);
    this.#hasNewBytes = false;
  }

  async close(isAlone: boolean): Promise<void> {
    await this.#sending.catch(() => {});
    for (const buffer of [this.#gathered, this.#sent]) if (buffer) giveBack(buffer);
    if (isAlone) return;
    // What a late writer has left beside a completed object would stay there as long as the object.
    if ((await this.#bucket.parts(this.#upload)) === undefined) await removeBeside(this.#bucket, this.#id);
  }

  /** Waits for the part before, then sends this one. */
  async #sendPart(): Promise<void> {
    await this.#sending;
    const full = this.#gathered;
    this.#count += 1;
    this.#sending = this.#send(this.#count, full);
    // The next call awaits it; until then Node must not report the rejection as unhandled.
    this.#sending.catch(() => {});
    this.#gathered = this.#sent ?? takeBuffer();
    this.#sent = full;
    this.#length = 0;
  }

  async #send(number: number, bytes: Buffer): Promise<void> {
    // Before the first part, so that whoever finds that finds the head.
    if (number === 1) await this.#bucket.put(headKeyOf(this.#id), bytes.subarray(0, headSize));
    const part = await this.#bucket.uploadPart(this.#upload, number, bytes);
    if (part === undefined) throw new ProductError("upload_moved_on");
  }
}
