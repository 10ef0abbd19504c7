import type { S3Settings } from "./s3-client.ts";

/** Returns the origin at which a store sends the objects of a bucket. */
export function storeOrigin({ endpoint, bucket, pathStyle }: Pick<S3Settings, "endpoint" | "bucket" | "pathStyle">): string {
  const { protocol, host } = new URL(endpoint);
  return `${protocol}//${pathStyle ? host : `${bucket}.${host}`}`;
}
