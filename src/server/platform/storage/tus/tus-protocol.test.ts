import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { outcome, student, visitor, type Answer, type Person } from "../../../../../tests/support/people.ts";
import { idOf, metadata, pngOf, uploader, type Uploader } from "../../../../../tests/support/uploads.ts";

let app: TestApp;
let buyer: Person;
let owner: Uploader;

beforeAll(async () => {
  app = await startApp({ environment: { MAX_SCREENSHOT_BYTES: "3000000", MAX_VIDEO_BYTES: "9000000" } });
  buyer = await student(app);
  owner = uploader(app, buyer);
});
afterAll(() => app?.close());

const path = "/storage/v1/upload/resumable";
const partType = "application/offset+octet-stream";
const day = 24 * 3600 * 1000;

async function started(size: number): Promise<string> {
  return (await owner.start("payment-screenshots", size)).headers.get("location") ?? "";
}

/** POST with the method that counts in a header, as clients behind strict proxies send. */
async function overridden(who: Person, method: string, address: string, headers = {}, body?: Buffer): Promise<Answer> {
  const reply = await fetch(new URL(address, app.url), {
    method: "POST",
    headers: {
      "tus-resumable": "1.0.0",
      "x-http-method-override": method,
      ...(who.accessToken ? { authorization: `Bearer ${who.accessToken}` } : {}),
      ...headers,
    },
    ...(body ? { body: new Uint8Array(body) } : {}),
  });
  const text = await reply.text();
  return { status: reply.status, headers: reply.headers, body: text === "" ? "" : JSON.parse(text) };
}

describe("X-HTTP-Method-Override", () => {
  it("X-HTTP-Method-Override lets POST stand for PATCH, HEAD and DELETE", async () => {
    const bytes = pngOf(20_000);
    const location = await started(bytes.length);
    const part = { "upload-offset": "0", "content-type": partType };
    expect((await overridden(buyer, "PATCH", location, part, bytes.subarray(0, 9000))).status).toBe(204);
    const head = await overridden(buyer, "head", location);
    expect([head.status, head.headers.get("upload-offset"), head.body]).toEqual([200, "9000", ""]);
    expect((await overridden(buyer, "DELETE", location)).status).toBe(204);
    expect((await owner.head(location)).status).toBe(404);
  });

  it("X-HTTP-Method-Override lets no HEAD delete an upload", async () => {
    const location = await started(20_000);
    const headers = {
      "tus-resumable": "1.0.0",
      "x-http-method-override": "DELETE",
      authorization: `Bearer ${buyer.accessToken}`,
    };
    expect((await fetch(new URL(location, app.url), { method: "HEAD", headers })).status).toBe(200);
    expect((await owner.head(location)).status).toBe(200);
  });

  it("X-HTTP-Method-Override passes no access check", async () => {
    const location = await started(20_000);
    const stranger = await student(app);
    for (const method of ["PATCH", "HEAD", "DELETE"]) {
      const part = { "upload-offset": "0", "content-type": partType };
      expect((await overridden(visitor(app), method, location, part)).status, method).toBe(401);
      expect((await overridden(stranger, method, location, part)).status, method).toBe(404);
    }
    expect((await owner.head(location)).headers.get("upload-offset")).toBe("0");
  });

  it("X-HTTP-Method-Override is refused for a method the address does not have", async () => {
    const location = await started(20_000);
    for (const [address, method] of [
      [location, "GET"],
      [location, "POST"],
      [location, "TRACE"],
      [path, "PATCH"],
      [path, "DELETE"],
    ] as const) {
      expect((await overridden(buyer, method, address)).status, `${method} ${address}`).toBe(405);
    }
    expect((await overridden(visitor(app), "OPTIONS", path)).status).toBe(204);
  });
});

it("GET /api/me names the limit of every bucket for uploads", async () => {
  const { body } = await buyer.call("GET", "/api/me");
  expect(body.max_upload_bytes).toEqual({
    "payment-screenshots": 3_000_000,
    "course-videos": 9_000_000,
    "lesson-attachments": 104_857_600,
  });
});

describe("the tus protocol", () => {
  it("names the largest size of any bucket in reply to OPTIONS", async () => {
    const { headers } = await fetch(app.url + path, { method: "OPTIONS" });
    expect(headers.get("tus-max-size")).toBe("104857599");
    expect(headers.get("tus-extension")).toBe("creation,creation-with-upload,termination,expiration");
  });

  it("refuses a PATCH of another Content-Type with 415 and keeps the upload", async () => {
    const location = await started(20_000);
    for (const type of ["application/octet-stream", "image/png", `${partType}; charset=utf-8`]) {
      const answer = await owner.patch(location, 0, pngOf(20_000), { "content-type": type });
      expect(outcome(answer), type).toEqual([415, "upload_part_type_invalid"]);
    }
    expect((await owner.head(location)).headers.get("upload-offset")).toBe("0");
  });

  it("refuses a PATCH with an extension that is not offered, and keeps the upload", async () => {
    const bytes = pngOf(20_000);
    const location = await started(bytes.length);
    const part = { "upload-offset": "0", "content-type": partType, "upload-length": "20000" };
    expect(outcome(await overridden(buyer, "PATCH", location, part, bytes))).toEqual([400, "invalid_input"]);
    expect((await owner.head(location)).headers.get("upload-offset")).toBe("0");
  });

  it("Upload-Expires is a day after the last byte of an unfinished upload", async () => {
    const created = await owner.start("payment-screenshots", 20_000);
    const location = created.headers.get("location") ?? "";
    const dayAfterLastByte = async (): Promise<string> => {
      const changed = await app.deps.objects.lastChange(idOf(location));
      return new Date(changed!.getTime() + day).toUTCString();
    };
    expect(created.headers.get("upload-expires")).toBe(await dayAfterLastByte());
    const part = await owner.patch(location, 0, pngOf(20_000).subarray(0, 9000));
    expect(part.headers.get("upload-expires")).toBe(await dayAfterLastByte());
    const finished = await owner.patch(location, 9000, pngOf(20_000).subarray(9000));
    expect([finished.status, finished.headers.get("upload-expires")]).toEqual([204, null]);
  });

  const pairs = (filename: string): string => `bucketName ${btoa("payment-screenshots")},filename ${filename}`;
  it.each<[string, Record<string, string>]>([
    ["both lengths", { "upload-defer-length": "1" }],
    ["a length that comes later", { "upload-length": "", "upload-defer-length": "1" }],
    ["a partial upload", { "upload-concat": "partial" }],
    ["an upload made of others", { "upload-concat": "final;/a /b" }],
    ["metadata that is not Base64", { "upload-metadata": pairs("%%%") }],
    ["a key twice", { "upload-metadata": `${pairs("YQ==")},filename YQ==` }],
    ["a NUL character", { "upload-metadata": metadata({ bucketName: "payment-screenshots", filename: "a\0.png" }) }],
    ["half of a surrogate pair", { "upload-metadata": pairs(Buffer.from([0xed, 0xa0, 0x80]).toString("base64")) }],
    ["bytes that are not UTF-8", { "upload-metadata": pairs(Buffer.from([0xff, 0xfe]).toString("base64")) }],
    ["metadata that is too long", { "upload-metadata": pairs(btoa("a".repeat(6000))) }],
    ["no metadata", { "upload-metadata": "" }],
    ["a negative length", { "upload-length": "-1" }],
    ["a length that is no number", { "upload-length": "1e3" }],
  ])("refuses a creation with %s", async (_what, headers) => {
    expect(outcome(await owner.start("payment-screenshots", 5000, headers))).toEqual([400, "invalid_input"]);
  });

  it.each([
    ["letters of any script", "ใบเสร็จ.png", "ใบเสร็จ.png"],
    ["an override of the direction", "\u202egnp.exe", "gnp.exe"],
    ["folders", "a/b\\c", "c"],
    ["control characters and ends of lines", "pa\u0007id\r\n\u2028.png", "paid.png"],
    ["more than 200 characters", `${"💶".repeat(300)}.png`, `${"💶".repeat(196)}.png`],
    ["nothing but a control character", "\u0007", "file"],
    ["nothing", "", "file"],
  ])("stores the name of a file with %s", async (_what, sent, stored) => {
    const id = await owner.upload("payment-screenshots", pngOf(5000), sent);
    expect(await app.sql("select filename from stored_objects where id = $1", [id])).toEqual([{ filename: stored }]);
    expect((await owner.head(`${path}/${id}`)).status).toBe(200);
  });
});
