import { randomUUID } from "node:crypto";
import { access, readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { admin, outcome, student, unverifiedStudent, visitor, type Person } from "../../../../../tests/support/people.ts";
import { idOf, metadata, mp4Of, pngOf, uploader, type Uploader } from "../../../../../tests/support/uploads.ts";

let app: TestApp;
let buyer: Person;
let owner: Uploader;
let operator: Uploader;

beforeAll(async () => {
  app = await startApp({ environment: { MAX_SCREENSHOT_BYTES: "3000000" } });
  buyer = await student(app);
  owner = uploader(app, buyer);
  operator = uploader(app, await admin(app));
});
afterAll(() => app?.close());

const fileOf = (id: string): string => join(app.deps.config.files.dataDir, "objects", id);
const stored = async (id: string): Promise<any> => (await app.sql("select * from stored_objects where id = $1", [id]))[0];
const filesOf = async (id: string): Promise<string[]> =>
  (await readdir(join(app.deps.config.files.dataDir, "objects"))).filter((name) => name.startsWith(id));

async function started(who: Uploader, bucket: string, size: number): Promise<string> {
  const answer = await who.start(bucket, size);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.headers.get("location") ?? "";
}

describe("a resumable upload", () => {
  it("stores a screenshot under user id, timestamp and extension, with its type", async () => {
    const bytes = pngOf(200_000);
    const id = await owner.upload("payment-screenshots", bytes, "C:\\fakepath\\My Payment.PNG");
    const object = await stored(id);
    expect(object).toMatchObject({
      bucket: "payment-screenshots",
      owner_id: buyer.id,
      filename: "My Payment.PNG",
      content_type: "image/png",
      size: "200000",
    });
    expect(object.name).toMatch(new RegExp(`^${buyer.id}-\\d{13}\\.png$`));
    expect(bytes.equals(await readFile(fileOf(id)))).toBe(true);
    expect(await filesOf(id)).toEqual([id]);
  });

  it("screenshots of the same millisecond get different names", async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, () => owner.upload("payment-screenshots", pngOf(5000), "a.png")));
    const names = await Promise.all(ids.map(async (id) => (await stored(id)).name));
    expect(new Set(names).size).toBe(8);
  });

  it("stores a file that arrives in pieces of any size", async () => {
    const bytes = mp4Of(3_000_000);
    const location = await started(operator, "course-videos", bytes.length);
    let offset = 0;
    for (const end of [10, 3000, 4100, 4101, 1_500_000, bytes.length]) {
      const answer = await operator.patch(location, offset, bytes.subarray(offset, end));
      expect([answer.status, answer.headers.get("upload-offset")]).toEqual([204, String(end)]);
      offset = end;
    }
    expect(bytes.equals(await readFile(fileOf(idOf(location))))).toBe(true);
    expect((await stored(idOf(location))).content_type).toBe("video/mp4");
  });

  it("stores a file that is sent with the request that creates the upload", async () => {
    const bytes = pngOf(10_000);
    const answer = await fetch(`${app.url}/storage/v1/upload/resumable`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${buyer.accessToken}`,
        "tus-resumable": "1.0.0",
        "content-type": "application/offset+octet-stream",
        "upload-length": "10000",
        "upload-metadata": metadata({ bucketName: "payment-screenshots", filename: "a.png", filetype: "image/png" }),
      },
      body: new Uint8Array(bytes),
    });
    expect([answer.status, answer.headers.get("upload-offset")]).toEqual([201, "10000"]);
    expect(await stored(idOf(answer.headers.get("location") ?? ""))).toMatchObject({ size: "10000" });
  });

  it("Location names no host, so it works behind any proxy", async () => {
    expect(await started(owner, "payment-screenshots", 100)).toMatch(/^\/storage\/v1\/upload\/resumable\/[0-9a-f-]{36}$/);
  });

  it("a deleted upload leaves nothing behind", async () => {
    const location = await started(owner, "payment-screenshots", 20_000);
    await owner.patch(location, 0, pngOf(20_000).subarray(0, 9000));
    expect((await owner.remove(location)).status).toBe(204);
    expect((await owner.head(location)).status).toBe(404);
    expect(await filesOf(idOf(location))).toEqual([]);
  });

  it("OPTIONS returns the protocol version, and other versions are refused", async () => {
    const options = await fetch(`${app.url}/storage/v1/upload/resumable`, { method: "OPTIONS" });
    expect([options.status, options.headers.get("tus-version")]).toEqual([204, "1.0.0"]);
    expect(options.headers.get("tus-extension")).toContain("creation");
    const answer = await owner.start("payment-screenshots", 100, { "tus-resumable": "0.2.0" });
    expect([answer.status, answer.headers.get("tus-version")]).toEqual([412, "1.0.0"]);
    expect(answer.body.code).toBe("upload_protocol_unknown");
  });
});

describe("what an upload may be", () => {
  it("refuses other content than an image at its first bytes, and keeps nothing", async () => {
    const location = await started(owner, "payment-screenshots", 2_000_000);
    const answer = await owner.patch(location, 0, Buffer.alloc(1_000_000, "<svg>"));
    expect([answer.status, answer.body]).toEqual([
      415,
      { error: "Please upload an image file", code: "screenshot_type_invalid" },
    ]);
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(await filesOf(idOf(location))).toEqual([]);
    expect((await owner.head(location)).status).toBe(404);
  });

  it("refuses a small file of wrong content when it is complete", async () => {
    const location = await started(owner, "payment-screenshots", 12);
    const answer = await owner.patch(location, 0, Buffer.from("GIF89 or so?"));
    expect([answer.status, answer.body.error]).toEqual([415, "Please upload an image file"]);
    expect(await filesOf(idOf(location))).toEqual([]);
  });

  it("refuses an image instead of a video with the text for videos", async () => {
    const location = await started(operator, "course-videos", 6000);
    const answer = await operator.patch(location, 0, pngOf(6000));
    expect([answer.status, answer.body.error]).toEqual([415, "Please upload a video file"]);
    expect(await stored(idOf(location))).toBeUndefined();
  });

  it("accepts an image that claims another type", async () => {
    const answer = await owner.start("payment-screenshots", 5000, {
      "upload-metadata": metadata({ bucketName: "payment-screenshots", filename: "a.txt", filetype: "text/plain" }),
    });
    const location = answer.headers.get("location") ?? "";
    expect((await owner.patch(location, 0, pngOf(5000))).status).toBe(204);
    expect((await stored(idOf(location))).content_type).toBe("image/png");
  });

  it.each([
    ["as large as the limit", 3_000_000, 413, "File size must be less than 2.8MB"],
    ["larger", 9_000_000_000, 413, "File size must be less than 2.8MB"],
    ["empty", 0, 400, "This file is empty."],
    ["of no length", "", 400, expect.any(String)],
    ["of a negative length", "-5", 400, expect.any(String)],
  ])("refuses a screenshot that is %s", async (_what, size, status, error) => {
    const answer = await owner.start("payment-screenshots", size);
    expect([answer.status, answer.body.error]).toEqual([status, error]);
  });

  it("refuses a video of 5 GB with the text for videos", async () => {
    const answer = await operator.start("course-videos", 5 * 1024 ** 3);
    expect([answer.status, answer.body.error]).toEqual([413, "Video file size must be less than 5GB"]);
  });

  it("refuses a deferred length, an unknown bucket and broken metadata", async () => {
    const metadataOf = (bucketName: string) => ({ "upload-metadata": metadata({ bucketName }) });
    const deferred = { "upload-defer-length": "1", ...metadataOf("payment-screenshots") };
    const reply = await fetch(`${app.url}/storage/v1/upload/resumable`, {
      method: "POST",
      headers: { authorization: `Bearer ${buyer.accessToken}`, "tus-resumable": "1.0.0", ...deferred },
    });
    expect(reply.status).toBe(400);
    expect((await owner.start("secrets", 100)).body.code).toBe("invalid_input");
    expect((await owner.start("", 100, { "upload-metadata": "bucketName ???" })).body.code).toBe("invalid_input");
  });

  // FILE-8
  it("lets unfinished uploads fill their room to the last byte", async () => {
    const eager = await student(app);
    await app.sql(
      `insert into unfinished_uploads (id, owner_id, bucket, size, metadata, created_at)
       values (gen_random_uuid(), $1, 'payment-screenshots', 200 * 1024 * 1024 - 1000, '{}', now())`,
      [eager.id],
    );
    const statusOf = async (size: number) => (await uploader(app, eager).start("payment-screenshots", size)).status;
    expect([await statusOf(1001), await statusOf(1000), await statusOf(1)]).toEqual([429, 201, 429]);
    const refused = await uploader(app, eager).start("payment-screenshots", 1);
    expect([outcome(refused), refused.headers.get("retry-after")]).toEqual([[429, "uploads_unfinished"], "3600"]);
  });

  it.each([
    ["50 GB of the admin", "course-videos", admin, 50 * 1024 ** 3],
    ["of a student twice the largest screenshot", "payment-screenshots", student, 400 * 1024 ** 2],
  ])("lets unfinished uploads take %s", async (_what, bucket, signIn, room) => {
    const environment = { MAX_SCREENSHOT_BYTES: String(200 * 1024 ** 2) };
    const site = await startApp({ environment, readDisk: () => Promise.resolve({ free: 1024 ** 4, total: 1024 ** 4 }) });
    try {
      const person = await signIn(site);
      await site.sql(
        `insert into unfinished_uploads (id, owner_id, bucket, size, metadata, created_at)
         values (gen_random_uuid(), $1, $2, $3, '{}', now())`,
        [person.id, bucket, room - 1000],
      );
      const statusOf = async (size: number) => (await uploader(site, person).start(bucket, size)).status;
      expect([await statusOf(1001), await statusOf(1000), await statusOf(1)]).toEqual([429, 201, 429]);
    } finally {
      await site.close();
    }
  });

  it("refuses more bytes than were announced", async () => {
    const location = await started(owner, "payment-screenshots", 5000);
    expect(outcome(await owner.patch(location, 0, pngOf(6000)))).toEqual([413, "body_too_large"]);
  });
});

describe("who may upload", () => {
  it("an upload needs a session, a verified address and the right bucket", async () => {
    expect(outcome(await uploader(app, visitor(app)).start("payment-screenshots", 100))).toEqual([401, "not_signed_in"]);
    const unverified = await uploader(app, await unverifiedStudent(app)).start("payment-screenshots", 100);
    expect(outcome(unverified)).toEqual([403, "email_not_verified"]);
    expect((await owner.start("course-videos", 100)).status).toBe(403);
    expect((await operator.start("payment-screenshots", 100)).status).toBe(403);
  });

  it("an upload is visible to its owner only, unfinished and finished", async () => {
    const location = await started(owner, "payment-screenshots", 20_000);
    const finished = `/storage/v1/upload/resumable/${await owner.upload("payment-screenshots", pngOf(5000))}`;
    const stranger = uploader(app, await student(app));
    for (const address of [location, finished]) {
      expect((await stranger.head(address)).status).toBe(404);
      expect((await stranger.patch(address, 0, pngOf(100))).status).toBe(404);
      expect((await stranger.remove(address)).status).toBe(404);
      expect((await uploader(app, visitor(app)).head(address)).status).toBe(401);
    }
    expect((await owner.head(location)).status).toBe(200);
  });

  it("an unknown id and a path outside the folder return 404", async () => {
    for (const id of [randomUUID(), "..%2f..%2fsecrets.json", "x"]) {
      expect((await owner.head(`/storage/v1/upload/resumable/${id}`)).status).toBe(404);
    }
  });

  it("refuses to delete a finished upload that is in use", async () => {
    const id = await operator.upload("course-videos", mp4Of(5000));
    await app.sql(
      "insert into videos (title, description, object_id, module, order_index, package_type, created_at) values ('T', 'D', $1, 'M', 1, 'both', now())",
      [id],
    );
    expect(outcome(await operator.remove(`/storage/v1/upload/resumable/${id}`))).toEqual([409, "upload_used"]);
    await access(fileOf(id));
  });
});
