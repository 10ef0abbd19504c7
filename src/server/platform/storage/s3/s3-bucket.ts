import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListPartsCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  S3ServiceException,
  UploadPartCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { ProductError } from "#domain/errors/messages";
import { secondsAfter, systemClock } from "../../clock.ts";
import type { SentHeaders } from "../object-store.ts";
import { ifThere, onTimeOf, openClient, orFault, type S3Settings } from "./s3-client.ts";

export interface StoredKey {
  key: string;
  size: number;
  changed: Date;
}

/** A part of a multipart upload with these bytes and no others. */
export interface NamedPart {
  number: number;
  etag: string;
}

export interface StoredPart extends NamedPart {
  size: number;
  changed: Date;
}

export interface NamedUpload {
  key: string;
  uploadId: string;
}

/** A multipart upload that is neither completed nor aborted. */
export interface OpenUpload extends NamedUpload {
  begun: Date;
}

/** How long `/readyz` waits for the store, with time left to say so. */
const checkMs = 1500;

/** The requests to one bucket. All reject with `unavailable` or `insufficient_storage` and nothing else (`storeFault`). */
export class S3Bucket {
  readonly #client: S3Client;
  readonly #bucket: { Bucket: string };
  /** How far the store's clock is ahead of this machine's, in seconds. */
  #ahead = 0;

  constructor(settings: S3Settings) {
    this.#client = openClient(settings);
    onTimeOf(this.#client, (time) => (this.#ahead = (time.getTime() - systemClock.now().getTime()) / 1000));
    this.#bucket = { Bucket: settings.bucket };
  }

  async head(key: string): Promise<StoredKey | undefined> {
    const found = await ifThere(this.#client.send(new HeadObjectCommand({ ...this.#bucket, Key: key })));
    return found && { key, size: found.ContentLength ?? 0, changed: found.LastModified ?? new Date(0) };
  }

  /** Returns the bytes from `start` to `end`, both included, or all, as a stream. */
  async read(key: string, range?: { start: number; end: number }): Promise<Readable | undefined> {
    const Range = range && `bytes=${range.start}-${range.end}`;
    const found = await ifThere(this.#client.send(new GetObjectCommand({ ...this.#bucket, Key: key, Range })));
    return found?.Body as Readable | undefined;
  }

  /**
   * Returns an address that anybody may read a key at, with these headers, for so many seconds of the store's clock, as its last reply had it.
   * Nothing is asked of the store.
   */
  addressOf(key: string, headers: SentHeaders, seconds: number): Promise<string> {
    const command = new GetObjectCommand({
      ...this.#bucket,
      Key: key,
      ResponseContentType: headers["content-type"],
      ResponseContentDisposition: headers["content-disposition"],
      ResponseCacheControl: "no-store",
    });
    const signingDate = secondsAfter(systemClock.now(), this.#ahead);
    return getSignedUrl(this.#client, command, { expiresIn: seconds, signingDate });
  }

  async put(key: string, bytes: Buffer): Promise<void> {
    await orFault(this.#client.send(new PutObjectCommand({ ...this.#bucket, Key: key, Body: bytes })));
  }

  /** Resolves also where there is nothing. */
  async delete(key: string): Promise<void> {
    await ifThere(this.#client.send(new DeleteObjectCommand({ ...this.#bucket, Key: key })));
  }

  /** Iterates over everything whose key begins with `Prefix`, a page at a time. */
  async *list(Prefix: string): AsyncGenerator<StoredKey[]> {
    const pages = paginateListObjectsV2({ client: this.#client }, { ...this.#bucket, Prefix });
    for await (const { Contents = [] } of faultsOf(pages)) {
      yield Contents.map(({ Key = "", Size = 0, LastModified = new Date(0) }) => ({
        key: Key,
        size: Size,
        changed: LastModified,
      }));
    }
  }

  /** Begins a multipart upload and returns it. An attempt whose reply was lost may have begun another before. */
  async beginUpload(key: string): Promise<NamedUpload> {
    const begun = await orFault(this.#client.send(new CreateMultipartUploadCommand({ ...this.#bucket, Key: key })));
    return { key, uploadId: begun.UploadId ?? "" };
  }

  /** Iterates over the open uploads whose key begins with `Prefix`, a page at a time. */
  async *uploads(Prefix: string): AsyncGenerator<OpenUpload[]> {
    let after: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
    for (;;) {
      const command = new ListMultipartUploadsCommand({ ...this.#bucket, Prefix, ...after });
      const { Uploads = [], IsTruncated, NextKeyMarker, NextUploadIdMarker } = await orFault(this.#client.send(command));
      yield Uploads.map(({ Key = "", UploadId = "", Initiated = new Date(0) }) => ({
        key: Key,
        uploadId: UploadId,
        begun: Initiated,
      }));
      if (IsTruncated !== true) return;
      after = { KeyMarker: NextKeyMarker, UploadIdMarker: NextUploadIdMarker };
    }
  }

  /** Undefined where the upload is completed or aborted. */
  async uploadPart({ key, uploadId }: NamedUpload, number: number, bytes: Buffer): Promise<NamedPart | undefined> {
    const part = { Key: key, UploadId: uploadId, PartNumber: number, Body: bytes };
    const stored = await ifThere(this.#client.send(new UploadPartCommand({ ...this.#bucket, ...part })));
    return stored && { number, etag: stored.ETag ?? "" };
  }

  /** Returns the parts by number; undefined where the upload is completed or aborted. */
  async parts({ key, uploadId }: OpenUpload): Promise<StoredPart[] | undefined> {
    const all: StoredPart[] = [];
    const named = { ...this.#bucket, Key: key, UploadId: uploadId };
    // By hand: the SDK's paginator also follows the marker of a last page, which some stores name.
    for (let after: string | undefined; ;) {
      const page = await ifThere(this.#client.send(new ListPartsCommand({ ...named, PartNumberMarker: after })));
      if (page === undefined) return undefined;
      for (const { PartNumber = 0, Size = 0, ETag = "", LastModified = new Date(0) } of page.Parts ?? []) {
        all.push({ number: PartNumber, size: Size, etag: ETag, changed: LastModified });
      }
      if (page.IsTruncated !== true) return all;
      after = page.NextPartNumberMarker;
    }
  }

  /** Makes an object of these parts and no others. Returns whether it did: false where the upload, or one of the parts, is not as it was. */
  async completeUpload({ key, uploadId }: NamedUpload, parts: NamedPart[]): Promise<boolean> {
    const MultipartUpload = { Parts: parts.map(({ number, etag }) => ({ PartNumber: number, ETag: etag })) };
    const named = { ...this.#bucket, Key: key, UploadId: uploadId, MultipartUpload };
    try {
      return (await ifThere(this.#client.send(new CompleteMultipartUploadCommand(named)))) !== undefined;
    } catch (error) {
      if (isOtherPart(error)) return false;
      throw error;
    }
  }

  async abortUpload({ key, uploadId }: NamedUpload): Promise<void> {
    await ifThere(this.#client.send(new AbortMultipartUploadCommand({ ...this.#bucket, Key: key, UploadId: uploadId })));
  }

  /** Returns why the bucket cannot be used now, as a short code; undefined when it can. A reply that takes longer is one of a store out of reach. */
  async fault(withinMs = checkMs): Promise<"missing" | "refused" | "unreachable" | undefined> {
    try {
      await this.#client.send(new HeadBucketCommand(this.#bucket), { abortSignal: AbortSignal.timeout(withinMs) });
      return undefined;
    } catch (error) {
      const status = error instanceof S3ServiceException ? (error.$metadata.httpStatusCode ?? 500) : 500;
      if (status === 404) return "missing";
      return status < 500 ? "refused" : "unreachable";
    }
  }

  close(): void {
    this.#client.destroy();
  }
}

const isOtherPart = (error: unknown): boolean =>
  error instanceof ProductError && error.cause instanceof S3ServiceException && error.cause.name === "InvalidPart";

async function* faultsOf<Page>(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  const iterator = pages[Symbol.asyncIterator]();
  for (let page = await orFault(iterator.next()); page.done !== true; page = await orFault(iterator.next())) yield page.value;
}
