import { Readable } from "node:stream";
import { expect, it } from "vitest";
import type { S3Bucket } from "./s3-bucket.ts";
import { readInto } from "./s3-part.ts";

// FILE-18
it("says of a tail whose bytes end early that the store is away", async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield Buffer.from("the first bytes");
    throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
  }
  const bucket = { read: () => Promise.resolve(Readable.from(broken())) } as unknown as S3Bucket;
  await expect(readInto(Buffer.alloc(100), bucket, "tail")).rejects.toMatchObject({ code: "unavailable" });
});
