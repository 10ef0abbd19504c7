import { appendFile, chmod, readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { Upload } from "tus-js-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProductError } from "#domain/errors/messages";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { admin, outcome, student, type Person } from "../../../../../tests/support/people.ts";
import { hangingPatch, idOf, mp4Of, pngOf, shakyLine, uploader, type Uploader } from "../../../../../tests/support/uploads.ts";
import { soon } from "../../../../../tests/support/soon.ts";

let app: TestApp;
let owner: Uploader;
let operator: Uploader;
let person: Person;

beforeAll(async () => {
  app = await startApp({ environment: { MAX_SCREENSHOT_BYTES: "3000000" } });
  owner = uploader(app, await student(app));
  person = await admin(app);
  operator = uploader(app, person);
});
afterAll(() => app?.close());

const fileOf = (id: string): string => join(app.deps.config.files.dataDir, "objects", id);
const partOf = (id: string): string => `${fileOf(id)}.part`;
const stored = async (id: string): Promise<any> => (await app.sql("select * from stored_objects where id = $1", [id]))[0];

async function started(who: Uploader, bucket: string, size: number): Promise<string> {
  const answer = await who.start(bucket, size);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.headers.get("location") ?? "";
}

describe("an interrupted upload", () => {
  it("a HEAD completes an upload whose server died before the row was inserted", async () => {
    const bytes = pngOf(50_000);
    const location = await started(owner, "payment-screenshots", bytes.length);
    await appendFile(partOf(idOf(location)), bytes);
    expect(await stored(idOf(location))).toBeUndefined();
    const answer = await owner.head(location);
    expect([answer.status, answer.headers.get("upload-offset")]).toEqual([200, "50000"]);
    expect(await stored(idOf(location))).toMatchObject({ content_type: "image/png", size: "50000" });
  });

  it("tus-js-client resumes an upload after a lost connection", async () => {
    const bytes = mp4Of(8_000_000);
    const line = await shakyLine(app, 2_000_000, 2);
    const requests: string[] = [];
    const location = await new Promise<string>((resolve, reject) => {
      const upload = new Upload(bytes, {
        endpoint: `${line.url}/storage/v1/upload/resumable`,
        headers: { authorization: `Bearer ${person.accessToken}` },
        metadata: { bucketName: "course-videos", filename: "lesson.mp4", filetype: "video/mp4" },
        chunkSize: 5_000_000,
        retryDelays: [50, 50, 50],
        onBeforeRequest: async (sent) => {
          requests.push(`${sent.getMethod()} ${sent.getHeader("Upload-Offset") ?? ""}`);
          // The app may be slow to store what came over the line before it was cut.
          if (sent.getMethod() === "HEAD")
            await soon(async () => expect(await app.deps.objects.size(idOf(upload.url!))).toBeGreaterThan(1e6));
        },
        onSuccess: () => resolve(upload.url ?? ""),
        onError: reject,
      });
      upload.start();
    });
    await line.close();
    expect(line.cuts).toBe(2);
    expect(requests.filter((sent) => sent.startsWith("POST"))).toHaveLength(1);
    expect(requests.filter((sent) => sent.startsWith("HEAD"))).toHaveLength(2);
    const resumedAt = requests.filter((sent) => /^PATCH [1-9]/.test(sent)).map((sent) => Number(sent.slice(6)));
    expect(resumedAt[0]).toBeGreaterThan(1_000_000);
    expect(bytes.equals(await readFile(fileOf(idOf(location))))).toBe(true);
    expect(await stored(idOf(location))).toMatchObject({ filename: "lesson.mp4", content_type: "video/mp4", size: "8000000" });
  });

  it("continues after the folder of objects was away", async () => {
    const bytes = pngOf(50_000);
    const location = await started(owner, "payment-screenshots", bytes.length);
    await owner.patch(location, 0, bytes.subarray(0, 20_000));
    const folder = join(app.deps.config.files.dataDir, "objects");

    await rename(folder, `${folder}.away`);
    const meanwhile = [await owner.head(location), await owner.start("payment-screenshots", 50_000)];
    await rename(`${folder}.away`, folder);

    expect(meanwhile.map(({ status }) => status)).toEqual([503, 503]);
    const answer = await owner.head(location);
    expect([answer.status, answer.headers.get("upload-offset")]).toEqual([200, "20000"]);
  });

  // RUN-3
  it.each([
    ["while a store cannot be reached", new ProductError("unavailable", { retryAfter: 10 }), [503, "10"]],
    ["while no file can be opened", Object.assign(new Error("Too many open files"), { code: "EMFILE" }), [503, "5"]],
  ])("continues after it could not go on %s", async (_why, fault, reply) => {
    const bytes = pngOf(50_000);
    const location = await started(owner, "payment-screenshots", bytes.length);
    await owner.patch(location, 0, bytes.subarray(0, 20_000));
    const { append } = app.deps.objects;
    app.deps.objects.append = () => Promise.reject(fault);
    const meanwhile = await owner.patch(location, 20_000, bytes.subarray(20_000));
    app.deps.objects.append = append;
    expect([meanwhile.status, meanwhile.headers.get("retry-after")]).toEqual(reply);
    const answer = await owner.head(location);
    expect([answer.status, answer.headers.get("upload-offset")]).toEqual([200, "20000"]);
    expect((await owner.patch(location, 20_000, bytes.subarray(20_000))).status).toBe(204);
  });

  it("a repeated PATCH completes an upload whose server died before the row", async () => {
    const bytes = pngOf(50_000);
    const location = await started(owner, "payment-screenshots", bytes.length);
    await appendFile(partOf(idOf(location)), bytes);
    expect((await owner.patch(location, 50_000, Buffer.alloc(0))).status).toBe(204);
    expect(await stored(idOf(location))).toMatchObject({ size: "50000" });
  });

  // FILE-8
  it("is completed once the copy of a part that was left open fits on the disk", async () => {
    let free = Number.MAX_SAFE_INTEGER;
    const beside = await startApp({ beside: app, readDisk: async () => ({ free, total: 1e9 }) });
    const other = uploader(beside, person);
    const bytes = mp4Of(50_000);
    const location = await started(other, "course-videos", bytes.length);
    await appendFile(partOf(idOf(location)), bytes);
    await chmod(partOf(idOf(location)), 0o600);
    // A reading of the disk is used for a second.
    free = 0;
    beside.clock.advance(2);
    expect((await other.head(location)).status).toBe(503);
    free = Number.MAX_SAFE_INTEGER;
    beside.clock.advance(2);
    expect((await other.head(location)).status).toBe(200);
    expect(await stored(idOf(location))).toMatchObject({ size: "50000" });
    expect((await stat(fileOf(idOf(location)))).mode & 0o222).toBe(0);
    await beside.close();
  });

  it("is given up where not all of its bytes are there, or the disk has lost some", async () => {
    const { complete } = app.deps.objects;
    const giveUp = async (fault: () => ReturnType<typeof complete>): Promise<number> => {
      const bytes = pngOf(50_000);
      const location = await started(owner, "payment-screenshots", bytes.length);
      app.deps.objects.complete = async (id) => {
        await (await complete.call(app.deps.objects, id))?.close();
        return fault();
      };
      const { status } = await owner.patch(location, 0, bytes);
      app.deps.objects.complete = complete;
      expect(await stored(idOf(location))).toBeUndefined();
      expect((await owner.head(location)).status).toBe(404);
      return status;
    };
    const short = { size: 49_999, head: async () => Buffer.alloc(0), close: async () => {} };
    expect(await giveUp(async () => short as never)).toBe(404);
    expect(await giveUp(() => Promise.reject(Object.assign(new Error("I/O error"), { code: "EIO" })))).toBe(500);
  });

  it("HEAD returns the offset of an upload that is stored already", async () => {
    const id = await owner.upload("payment-screenshots", pngOf(5000));
    const answer = await owner.head(`/storage/v1/upload/resumable/${id}`);
    expect([answer.status, answer.headers.get("upload-offset"), answer.headers.get("upload-length")]).toEqual([
      200,
      "5000",
      "5000",
    ]);
  });

  it("another server on the same folder takes the rest of an upload", async () => {
    const bytes = mp4Of(600_000);
    const location = await started(operator, "course-videos", bytes.length);
    await operator.patch(location, 0, bytes.subarray(0, 250_000));
    const second = await startApp({ beside: app });
    const there = uploader(second, await admin(second));
    expect((await there.head(location)).headers.get("upload-offset")).toBe("250000");
    expect((await there.patch(location, 250_000, bytes.subarray(250_000))).status).toBe(204);
    await second.close();
    expect(bytes.equals(await readFile(fileOf(idOf(location))))).toBe(true);
  });

  it("an upload ends whole when several requests send the same part at once", async () => {
    const bytes = mp4Of(4_000_000);
    const location = await started(operator, "course-videos", bytes.length);
    const tries = await Promise.allSettled(Array.from({ length: 4 }, () => operator.patch(location, 0, bytes)));
    const statuses = tries.map((attempt) => (attempt.status === "fulfilled" ? attempt.value.status : "cut"));
    for (const status of statuses) expect([204, 409, "cut"]).toContain(status);
    const offset = Number((await operator.head(location)).headers.get("upload-offset"));
    if (offset < bytes.length) expect((await operator.patch(location, offset, bytes.subarray(offset))).status).toBe(204);
    expect(bytes.equals(await readFile(fileOf(idOf(location))))).toBe(true);
    expect(await stored(idOf(location))).toMatchObject({ size: "4000000" });
  });

  it("a new request takes an upload over from a connection that hangs", async () => {
    const bytes = mp4Of(3_000_000);
    const location = await started(operator, "course-videos", bytes.length);
    hangingPatch(app, person, location, bytes, 1_200_000);
    await soon(async () => expect((await stat(partOf(idOf(location)))).size).toBeGreaterThan(1_000_000));
    const offset = Number((await operator.head(location)).headers.get("upload-offset"));
    expect(offset).toBeGreaterThan(1_000_000);
    expect((await operator.patch(location, offset, bytes.subarray(offset))).status).toBe(204);
    expect(bytes.equals(await readFile(fileOf(idOf(location))))).toBe(true);
  });

  it("refuses a part that does not begin where the last one ended", async () => {
    const location = await started(owner, "payment-screenshots", 20_000);
    expect(outcome(await owner.patch(location, 500, pngOf(100)))).toEqual([409, "upload_moved_on"]);
  });
});
