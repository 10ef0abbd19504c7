/** Returns whether a path is in a bucket: `s3://bucket/folder/file`. */
export const isBucketUrl = (path: string): boolean => path.startsWith("s3://");

/** Returns the bucket and the key of `s3://bucket/key`, with an empty key for the bucket itself; undefined where it has no bucket. */
export function readBucketUrl(url: string): { bucket: string; key: string } | undefined {
  const [, bucket, key = ""] = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/([\w./-]*))?$/.exec(url) ?? [];
  return bucket === undefined ? undefined : { bucket, key };
}
