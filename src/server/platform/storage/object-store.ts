import type { ErrorCode } from "#domain/messages";
import type { BucketName } from "#domain/upload-rules";
import type { Connection } from "../db/database.ts";
import type { Principal } from "../http/access.ts";

/** The rules of one bucket, given by the feature it belongs to. */
export interface Bucket {
  name: BucketName;
  maxBytes: number;
  /** Throws unless the principal may upload here. */
  checkUploader(principal: Principal): void;
  /** The type found in a file's first bytes, or undefined when this bucket does not take it. */
  contentType(head: Uint8Array): string | undefined;
  wrongType: ErrorCode;
  tooLarge: ErrorCode;
  /** The stored name of a new object: one path segment, unique in the bucket. */
  nameFor(upload: { id: string; ownerId: string; filename: string; now: Date }): string;
  /** Whether the holder of a link may still open the object, asked at every request. */
  mayOpen(connection: Connection, viewerId: string, objectId: string): Promise<boolean>;
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
  /** Removes the bytes of an object whose row is gone; none there is fine. */
  removeBytes(objectId: string): Promise<void>;
}
