import type { ErrorCode } from "#domain/messages";
import type { BucketName, TooLargeCode } from "#domain/upload-rules";
import type { Connection, Transaction } from "../db/database.ts";
import type { Principal } from "../http/access.ts";
import type { ReadinessCheck } from "../http/readiness.ts";
import type { ObjectFolder } from "./disk/object-folder.ts";

/** An upload whose last byte is on disk and whose type is known, before anyone is told of it. */
export interface ArrivedFile {
  id: string;
  ownerId: string;
  path: string;
  contentType: string;
}

/** The rules of one bucket, given by the feature it belongs to. */
export interface Bucket {
  name: BucketName;
  /** A file must be smaller than this (FILE-1). */
  maxBytes: number;
  /** Throws unless the principal may upload here. */
  checkUploader(principal: Principal): void;
  /** The type found in a file's first bytes, or undefined when this bucket does not take it. */
  contentType(head: Uint8Array): string | undefined;
  wrongType: ErrorCode;
  tooLarge: TooLargeCode;
  /** Set where a plain form post may upload too (FILE-5): the answer to a form without a file. */
  missingFile?: ErrorCode;
  /**
   * Returns the stored name of a new object: one path segment, with an extension that fits `contentType`, the type found in the
   * file. A taken name is asked for again with a later `now`.
   */
  nameFor(upload: { id: string; ownerId: string; filename: string; contentType: string; now: Date }): string;
  /**
   * Fingerprints an arrived file, which may take seconds. Returns a function that runs in the transaction that stores the object, so
   * that every stored object has its fingerprint. After a crash both may run again for the same file.
   */
  fingerprint?(file: ArrivedFile): Promise<(tx: Transaction) => Promise<void>>;
  /** Whether the holder of a link may still open the object, asked at every request. */
  mayOpen(connection: Connection, viewerId: string, objectId: string): Promise<boolean>;
  /** Ids of at most `limit` objects made before a moment that nothing refers to. */
  unused(connection: Connection, before: Date, limit: number): Promise<string[]>;
}

/** Room for the bytes of uploads. */
export interface UploadSpace {
  /** Throws `insufficient_storage` unless so many bytes more would fit now. */
  check(bytes: number): Promise<void>;
  /** The same for bytes that are written next. */
  claim(bytes: number): Promise<void>;
}

export interface SignedLink {
  /** Path and query, without an origin. */
  path: string;
  expires_at: Date;
}

/** Bytes of both buckets, and the links that open them. */
export interface ObjectStore {
  /** A link bound to a bucket, a name and a viewer, valid for `seconds`. */
  sign(bucket: BucketName, name: string, viewerId: string, seconds: number): SignedLink;
  /** The viewer a link's token was made for; throws `link_invalid` for a wrong, foreign or expired one. */
  viewerOf(token: string | undefined, bucket: BucketName, name: string): string;
  /** Removes the bytes of an object whose row is gone; none there is fine, and what fails the hourly sweep repeats. */
  removeBytes(objectId: string): Promise<void>;
  folder: ObjectFolder;
  space: UploadSpace;
  /** What `/readyz` asks of the store. */
  readiness: ReadinessCheck[];
}
