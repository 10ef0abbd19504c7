import { S3ServiceException } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { outcome, student } from "../../../../../tests/support/people.ts";
import { hasS3Server, startS3Server, type S3Server } from "../../../../../tests/support/s3/server.ts";
import { pngOf, uploader, type Uploader } from "../../../../../tests/support/uploads.ts";
import { S3Bucket } from "../s3/s3-bucket.ts";
import { storeFault } from "../s3/s3-client.ts";

let server: S3Server;
let app: TestApp;
let owner: Uploader;

beforeAll(async () => {
  if (!hasS3Server) return;
  server = await startS3Server();
  app = await startApp({ environment: server.environment });
  owner = uploader(app, await student(app));
});
afterAll(async () => {
  await app?.close();
  await server?.close();
});

const bytes = pngOf(50_000);

async function started(): Promise<string> {
  const answer = await owner.start("payment-screenshots", bytes.length);
  return answer.headers.get("location") ?? "";
}

// FILE-18, RUN-3
describe.runIf(hasS3Server)("an upload to a bucket", () => {
  it("continues where it was once a full bucket has room again", async () => {
    const location = await started();
    expect((await owner.patch(location, 0, bytes.subarray(0, 20_000))).status).toBe(204);
    const full = { name: "Full", message: "inner", $fault: "server", $metadata: { httpStatusCode: 507 } } as const;
    const put = vi.spyOn(S3Bucket.prototype, "put").mockRejectedValue(storeFault(new S3ServiceException(full)));
    const meanwhile = await owner.patch(location, 20_000, bytes.subarray(20_000));
    put.mockRestore();
    expect(outcome(meanwhile)).toEqual([503, "insufficient_storage"]);
    expect((await owner.head(location)).headers.get("upload-offset")).toBe("20000");
    expect((await owner.patch(location, 20_000, bytes.subarray(20_000))).status).toBe(204);
  });

  it.each([
    ["full", "ENOSPC", "insufficient_storage"],
    ["broken", "EIO", "unavailable"],
  ])("is completed once the disk that it is fetched to is no longer %s", async (_how, code, reply) => {
    const location = await started();
    const { withFile } = app.deps.objects;
    app.deps.objects.withFile = () => Promise.reject(Object.assign(new Error("inner"), { code, path: "from-s3" }));
    const meanwhile = await owner.patch(location, 0, bytes);
    app.deps.objects.withFile = withFile;
    expect(outcome(meanwhile)).toEqual([503, reply]);
    expect((await owner.head(location)).headers.get("upload-offset")).toBe("50000");
  });
});
