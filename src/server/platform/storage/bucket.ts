import type { ErrorCode } from "#domain/errors/messages";
import type { BucketName, UploadBucketName } from "#domain/files/buckets";
import type { TooLargeCode } from "#domain/files/chosen-file";
import type { Dependencies } from "../../dependencies.ts";
import type { Connection, Transaction } from "../db/database.ts";
import type { Principal } from "../http/access.ts";
import type { FoundLink, LinkNames, StoredObject } from "./queries.ts";
import type { LinkViewer } from "./downloads/signed-links.ts";

/** An upload whose bytes are complete and whose type is known, before it becomes visible to anyone. */
export interface ArrivedFile {
  id: string;
  ownerId: string;
  /** A file with its bytes, to be read only. */
  path: string;
  contentType: string;
}

/** The bytes of an object in another layout. */
export interface LayoutBytes {
  size: number;
  /** As `pieces` of `StoredBytes`. */
  pieces(start: number, end: number): AsyncGenerator<Buffer, void>;
}

/** The rules of one bucket, which the feature that owns it defines. `Found` is what it reads of a link. */
export interface Bucket<Found extends FoundLink = FoundLink> {
  name: BucketName;
  /** Set where a browser must save every file instead of displaying it. */
  isForDownload?: true;
  /** Set where pages read the bytes in a way that another origin refuses: then the site sends them, wherever they are stored. */
  isReadByPages?: true;
  /** Reads the object of a link with all that `checkViewer` needs, by one statement. Returns undefined when the session of the link has ended. */
  findLinked?(connection: Connection, names: LinkNames): Promise<Found | undefined>;
  /** Throws unless the holder of a link may still open the object; called at every request, also one that is a mere check. */
  checkViewer(deps: Dependencies, viewer: LinkViewer, found: Found & { object: StoredObject }, isCheck: boolean): Promise<void>;
  /** Returns whether the holder of a link may have the site send the bytes itself, where a store would; without it nobody may. */
  maySendBySite?(found: Found): boolean;
  /** Opens an object in another layout of its bytes, which its link names; undefined where it has none of that name. */
  openLayout?(deps: Dependencies, object: StoredObject, layout: string): Promise<LayoutBytes | undefined>;
  /** Returns ids of at most `limit` objects that are older than `before` and that nothing refers to. */
  unused(connection: Connection, before: Date, limit: number): Promise<string[]>;
}

/** A bucket that browsers upload to. */
export interface UploadBucket<Found extends FoundLink = FoundLink> extends Bucket<Found> {
  name: UploadBucketName;
  /** A file must be smaller than this many bytes. */
  maxBytes: number;
  /** Returns the bytes of an account's finished files that nothing refers to, where they count like unfinished ones (FILE-8). */
  unusedBytes?(connection: Connection, ownerId: string): Promise<number>;
  /** Throws unless the principal may upload here. */
  checkUploader(principal: Principal): void;
  /** Returns the type found in a file's first bytes, or undefined when this bucket refuses it. */
  contentType(head: Uint8Array, filename: string): string | undefined;
  wrongType: ErrorCode;
  tooLarge: TooLargeCode;
  /** Set where a plain form may upload too: the error of a form without a file. */
  missingFile?: ErrorCode;
  /**
   * Returns the stored name of a new object: one path segment, with an extension that fits `contentType`. Called again with a later
   * `now` when the name is taken.
   */
  nameFor(upload: { id: string; ownerId: string; filename: string; contentType: string; now: Date }): string;
  /**
   * Fingerprints an arrived file, which may take seconds. Returns a function that runs in the transaction that stores the object, so
   * that every stored object has its fingerprint. After a crash both may run again for the same file.
   */
  fingerprint?(file: ArrivedFile): Promise<(tx: Transaction) => Promise<void>>;
}
