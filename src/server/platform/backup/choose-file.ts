import { resolve } from "node:path";
import { isBucketUrl, readBucketUrl } from "../storage/s3/bucket-url.ts";
import { BackupError } from "./archive.ts";
import type { BackupFile, S3Account } from "./backup-file.ts";
import { DiskFile } from "./disk-file.ts";

/** Returns the backup of a path, or of `s3://bucket/key` in the store. Throws `BackupError` for a bucket without a store. */
export async function backupFile(path: string, account: S3Account | undefined): Promise<BackupFile> {
  if (!isBucketUrl(path)) return new DiskFile(resolve(path));
  const { bucket, key } = readBucketUrl(path) ?? {};
  if (bucket === undefined || !key)
    throw new BackupError(`Name a bucket and a file, s3://bucket/monday.tar, instead of ${path}`);
  if (account === undefined)
    throw new BackupError(
      `${path} is in a bucket: set S3_ENDPOINT, S3_REGION, the key of the store and BACKUP_DIR=s3://${bucket}`,
    );
  // Only here, since the SDK takes time and memory.
  const { BucketFile } = await import("./bucket-file.ts");
  return new BucketFile({ ...account, bucket }, key);
}
