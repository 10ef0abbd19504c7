import type { Readable } from "node:stream";
import type { S3Settings } from "../storage/s3/s3-client.ts";
import type { BackupSource, BackupSummary } from "./write.ts";

/** One backup, on a disk or in a bucket. */
export interface BackupFile {
  /** Makes the folder that it is to be in, closed to others. */
  makeFolder(): Promise<void>;
  /** Writes it; it has its name only when it is whole (BACKUP-1). Throws `BackupError` where there is one of its name. */
  write(source: BackupSource): Promise<BackupSummary>;
  /** Throws `BackupError` where there is none. */
  open(): Promise<Readable>;
  /** In bytes; undefined where there is none. */
  size(): Promise<number | undefined>;
  /** Removes what a process that was killed has left of it. */
  removeDrafts(): Promise<void>;
  /** One that is not there counts as removed. */
  remove(): Promise<void>;
}

/** A store and its key, whichever the bucket. */
export type S3Account = Omit<S3Settings, "bucket">;
