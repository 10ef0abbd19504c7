import { randomBytes, randomUUID } from "node:crypto";
import { access, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { completeUpload } from "#server/platform/storage/uploads/complete-upload";
import { openPictureReader } from "#server/platform/pictures/picture-reader";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { animation, blankPng, bmp, heic, pngHead } from "../../../../../tests/support/payment-requests/odd-pictures.ts";
import { tinyPng, uploadScreenshot } from "../../../../../tests/support/payments.ts";
import { student, type Answer, type Person } from "../../../../../tests/support/people.ts";
import { receipt } from "../../../../../tests/support/payment-requests/draw-receipt.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import { soon } from "../../../../../tests/support/soon.ts";
import { idOf, metadata, pngOf, uploader } from "../../../../../tests/support/uploads.ts";
import { screenshotBucket } from "./bucket.ts";

let app: TestApp;
let buyer: Person;
beforeAll(async () => {
  ({ app } = await startShop());
  buyer = await student(app);
});
afterAll(() => app?.close());

const screenshotMetadata = {
  "upload-metadata": metadata({ bucketName: "payment-screenshots", filename: "a.png", filetype: "" }),
};

function post(person: Person, bytes: Buffer): Promise<Answer> {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(bytes)], { type: "image/png" }), "paid.png");
  return person.call("POST", "/storage/v1/object/payment-screenshots", form);
}

interface Known {
  sha256: Buffer;
  picture: Buffer | null;
  edges: string | null;
  bands: number[] | null;
}
const known = async (id: string): Promise<Known[]> =>
  app.sql<Known & Record<string, unknown>>(
    "select sha256, picture, edges, bands from screenshot_fingerprints where object_id = $1",
    [id],
  );

it.each<[string, () => Buffer | Promise<Buffer>]>([
  ["HEIC, which is not decoded here", heic],
  ["BMP, which is not decoded here", bmp],
  ["a single pixel", () => tinyPng],
  ["an animation of one colour", () => animation()],
  ["a picture with more behind its end", () => pngOf(20_000)],
  [
    "one colour",
    () =>
      sharp({ create: { width: 800, height: 1600, channels: 3, background: "#f4f1ea" } })
        .png()
        .toBuffer(),
  ],
])("accepts %s and stores the fingerprint of its bytes alone", async (_what, make) => {
  const [fingerprint] = await known(await uploadScreenshot(buyer, await make()));
  expect(fingerprint).toMatchObject({ picture: null, edges: null, bands: null });
  expect(fingerprint?.sha256).toHaveLength(32);
});

const typeInvalid = { status: 415, body: { error: "Please upload an image file", code: "screenshot_type_invalid" } };
const shapeInvalid = { status: 400, body: { code: "screenshot_shape_invalid" } };

it.each<[string, object, () => Buffer | Promise<Buffer>]>([
  ["eight bytes of a PNG", typeInvalid, () => pngHead],
  ["noise behind a PNG's first bytes", typeInvalid, () => Buffer.concat([pngHead, randomBytes(20_000)])],
  ["HTML behind a GIF's first bytes", typeInvalid, () => Buffer.from("GIF89a<html><script>alert(1)</script></html>")],
  ["noise behind a BMP's first bytes", typeInvalid, () => Buffer.concat([bmp().subarray(0, 18), randomBytes(900)])],
  ["a BMP without its last row", typeInvalid, () => bmp().subarray(0, -4)],
  ["noise behind a HEIC's first bytes", typeInvalid, () => Buffer.concat([heic().subarray(0, 24), randomBytes(900)])],
  ["a HEIC that ends inside its meta box", typeInvalid, () => heic().subarray(0, 60)],
  ["half of a JPEG", typeInvalid, async () => (await receipt().jpeg().toBuffer()).subarray(0, 20_000)],
  ["half of a PNG", typeInvalid, async () => (await receipt().png().toBuffer()).subarray(0, 6000)],
  ["an SVG", typeInvalid, () => Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>")],
  ["a decompression bomb", shapeInvalid, () => blankPng(30_000, 30_000, 1000)],
  ["a line of pixels", shapeInvalid, () => blankPng(1, 15_999_999)],
  ["a PNG one pixel too wide", shapeInvalid, () => blankPng(20_001, 1000)],
  ["a BMP that states an absurd shape", typeInvalid, () => bmp(1, 30_000)],
])("refuses %s and keeps nothing of it", async (_what, refusal, make) => {
  const objects = join(app.deps.config.files.dataDir, "objects");
  const stored = async (): Promise<unknown[]> => [
    await app.sql("select id from stored_objects order by id"),
    (await readdir(objects)).toSorted(),
  ];
  const before = await stored();
  expect(await post(buyer, await make())).toMatchObject(refusal);
  expect(await stored()).toEqual(before);
});

it("accepts a picture at the limit of its length", async () => {
  expect((await post(buyer, blankPng(400, 20_000))).status).toBe(201);
});

it("replies to other requests while a decoder is busy", async () => {
  const folder = await mkdtemp(join(tmpdir(), "pipwright-busy-"));
  const [script, busy, goOn] = ["worker.mjs", "busy", "go-on"].map((name) => join(folder, name)) as [string, string, string];
  // Never yields: were this the server's own process, nothing else could be answered.
  await writeFile(
    script,
    `import { existsSync, writeFileSync } from "node:fs";
    process.on("message", () => {
      writeFileSync(${JSON.stringify(busy)}, "");
      while (!existsSync(${JSON.stringify(goOn)}));
      process.send({ reply: { kind: "decoded", fingerprint: null }, isLast: false });
    });
    process.send("ready");`,
  );
  const beside = await startApp({ beside: app, parts: { pictures: openPictureReader(script, { maxJobMs: 300_000 }) } });
  try {
    const order: string[] = [];
    const there = await student(beside);
    const upload = post(there, tinyPng).then(({ status }) => order.push(`upload ${status}`));
    await soon(() => access(busy));
    for (let count = 0; count < 3; count += 1) order.push(`me ${(await there.call("GET", "/api/me")).status}`);
    await writeFile(goOn, "");
    await upload;
    expect(order).toEqual(["me 200", "me 200", "me 200", "upload 201"]);
  } finally {
    await beside.close();
    await rm(folder, { recursive: true });
  }
});

it("replies 503 while no decoder is free, then completes the upload from its bytes", async () => {
  const broken = openPictureReader("/nowhere/picture-worker.js");
  const beside = await startApp({ beside: app, parts: { pictures: broken } });
  try {
    const owner = uploader(beside, buyer);
    const location = (await owner.start("payment-screenshots", tinyPng.length, screenshotMetadata)).headers.get("location")!;
    const refused = await owner.patch(location, 0, tinyPng);
    expect(refused).toMatchObject({ status: 503, body: { code: "unavailable" } });
    expect(refused.headers.get("retry-after")).toBe("10");
    expect((await uploader(app, buyer).head(location)).status).toBe(200);
    expect(await known(idOf(location))).toHaveLength(1);
  } finally {
    await beside.close();
  }
});

it("completes an upload that a crash interrupted once", async () => {
  const { db, objects, config, pictures } = app.deps;
  const bytes = await receipt().png().toBuffer();
  const bucket = screenshotBucket(config, pictures);
  const upload = { id: randomUUID(), ownerId: buyer.id, size: bytes.length, filename: "paid.png", bucket };
  await objects.put(upload.id, bytes);
  const now = new Date();
  const [first, second] = await Promise.all([
    completeUpload(db, objects, upload, now),
    completeUpload(db, objects, upload, now),
  ]);
  expect(second).toEqual(first);
  expect(await completeUpload(db, objects, upload, now)).toEqual(first);
  expect(await known(upload.id)).toHaveLength(1);
});

it("stores no object whose fingerprint cannot be stored", async () => {
  const { db, objects, config, pictures } = app.deps;
  const bucket = screenshotBucket(config, pictures);
  const upload = { id: randomUUID(), ownerId: buyer.id, size: tinyPng.length, filename: "paid.png", bucket };
  await objects.put(upload.id, tinyPng);
  const failing = { ...bucket, fingerprint: async () => () => Promise.reject(new Error("The database is gone.")) };
  await expect(completeUpload(db, objects, { ...upload, bucket: failing }, new Date())).rejects.toThrow(
    "The database is gone.",
  );
  expect(await app.sql("select 1 from stored_objects where id = $1", [upload.id])).toEqual([]);
  await completeUpload(db, objects, upload, new Date());
  expect(await known(upload.id)).toHaveLength(1);
});
