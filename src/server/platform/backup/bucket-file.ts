import { Readable, Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { S3Bucket, type NamedPart, type NamedUpload, type OpenUpload } from "../storage/s3/s3-bucket.ts";
import { storeFault, type S3Settings } from "../storage/s3/s3-client.ts";
import { BackupError } from "./archive.ts";
import type { BackupFile } from "./backup-file.ts";
import { writeBackup, type BackupSource, type BackupSummary } from "./write.ts";

/** Bytes of a part, which is held in memory while it is sent or read. */
const partBytes = 32 * 1024 * 1024;

/** What S3 takes. */
const maxParts = 10_000;

/** Reads of a part before it is given up; the SDK repeats only what fails before its first byte. */
const tries = 3;

/**
 * A backup in a bucket, sent as a multipart upload. The store compares each part with its signed SHA-256, and makes the object of
 * all of them in one step: so it is not fetched again before it has its name.
 */
export class BucketFile implements BackupFile {
  readonly #bucket: S3Bucket;
  readonly #key: string;
  readonly #url: string;

  constructor(settings: S3Settings, key: string) {
    this.#bucket = new S3Bucket(settings);
    this.#key = key;
    this.#url = `s3://${settings.bucket}/${key}`;
  }

  /** A bucket has none. */
  makeFolder(): Promise<void> {
    return Promise.resolve();
  }

  async write(source: BackupSource): Promise<BackupSummary> {
    if ((await this.size()) !== undefined) throw new BackupError(`${this.#url} exists already. Name another file.`);
    // Another process may write a backup of the same name: its upload is left alone.
    const upload = await this.#bucket.beginUpload(this.#key);
    try {
      const parts = new Parts((number, bytes) => this.#send(upload, number, bytes));
      const summary = await writeBackup(source, parts.sink());
      await this.#bucket.completeUpload(upload, parts.named);
      // Also where the reply to a completion was lost.
      if ((await this.size()) !== parts.bytes) throw new BackupError(`The store has not kept all parts of ${this.#url}.`);
      return summary;
    } catch (error) {
      await this.#bucket.abortUpload(upload).catch(() => {});
      throw error;
    }
  }

  async open(): Promise<Readable> {
    const size = await this.size();
    if (size === undefined) throw new BackupError(`There is no ${this.#url}.`);
    return Readable.from(this.#parts(size));
  }

  async size(): Promise<number | undefined> {
    return (await this.#bucket.head(this.#key))?.size;
  }

  async removeDrafts(): Promise<void> {
    for (const upload of await this.#uploads()) await this.#bucket.abortUpload(upload);
  }

  remove(): Promise<void> {
    return this.#bucket.delete(this.#key);
  }

  async #uploads(): Promise<OpenUpload[]> {
    const found: OpenUpload[] = [];
    for await (const page of this.#bucket.uploads(this.#key)) found.push(...page.filter(({ key }) => key === this.#key));
    return found;
  }

  async #send(upload: NamedUpload, number: number, bytes: Buffer): Promise<NamedPart> {
    if (number > maxParts) throw new BackupError("A backup in a bucket has at most 320 GB: write it into a folder.");
    const part = await this.#bucket.uploadPart(upload, number, bytes);
    if (part === undefined) throw new BackupError(`Somebody has ended the upload of ${this.#url}.`);
    return part;
  }

  async *#parts(size: number): AsyncGenerator<Buffer> {
    for (let start = 0; start < size; start += partBytes) yield this.#read(start, Math.min(start + partBytes, size) - 1);
  }

  async #read(start: number, end: number): Promise<Buffer> {
    for (let left = tries; ; left -= 1) {
      const body = await this.#bucket.read(this.#key, { start, end });
      if (body === undefined) throw new BackupError(`Somebody has removed ${this.#url}.`);
      try {
        return await buffer(body);
      } catch (error) {
        if (left === 1) throw storeFault(error);
      }
    }
  }
}

/** Gathers bytes into parts of one size, but the last, and sends them one after the other. */
class Parts {
  readonly named: NamedPart[] = [];
  bytes = 0;
  readonly #send: (number: number, bytes: Buffer) => Promise<NamedPart>;
  readonly #gathered = Buffer.allocUnsafeSlow(partBytes);
  #length = 0;

  constructor(send: (number: number, bytes: Buffer) => Promise<NamedPart>) {
    this.#send = send;
  }

  sink(): Writable {
    return Writable.fromWeb(
      new WritableStream({ write: (piece: Buffer) => this.#take(piece), close: () => this.#sendGathered() }),
    );
  }

  async #take(piece: Buffer): Promise<void> {
    for (let taken = 0; taken < piece.length;) {
      const copied = piece.copy(this.#gathered, this.#length, taken);
      taken += copied;
      this.#length += copied;
      if (this.#length === partBytes) await this.#sendGathered();
    }
  }

  async #sendGathered(): Promise<void> {
    if (this.#length === 0) return;
    this.named.push(await this.#send(this.named.length + 1, this.#gathered.subarray(0, this.#length)));
    this.bytes += this.#length;
    this.#length = 0;
  }
}
