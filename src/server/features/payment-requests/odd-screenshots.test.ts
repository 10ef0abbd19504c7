import { randomBytes, randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { complete } from "#server/platform/storage/completion";
import type { TestApp } from "../../../../tests/support/app.ts";
import { tinyPng, uploadScreenshot } from "../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../tests/support/people.ts";
import { receipt } from "../../../../tests/support/receipts.ts";
import { startShop } from "../../../../tests/support/shop.ts";
import { pngOf } from "../../../../tests/support/uploads.ts";
import { screenshotBucket } from "./bucket.ts";

let app: TestApp;
let buyer: Person;
beforeAll(async () => {
  ({ app } = await startShop());
  buyer = await student(app);
});
afterAll(() => app?.close());

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

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
};

/** A few hundred kilobytes of PNG that say they are 30000 by 30000 pixels. */
function bomb(side = 30_000): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2], 8);
  const rows = deflateSync(Buffer.alloc((side * 3 + 1) * 1000));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}

const heic = (): Buffer =>
  Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypheic\0\0\0\0mif1heic"), randomBytes(900)]);
const bmp = (): Buffer => Buffer.concat([Buffer.from("BM"), Buffer.alloc(12), Buffer.from([40, 0, 0, 0]), randomBytes(900)]);

const withoutPicture: [string, () => Buffer | Promise<Buffer>][] = [
  ["noise behind a PNG's first bytes", () => pngOf(20_000)],
  ["half of a JPEG", async () => (await receipt().jpeg().toBuffer()).subarray(0, 20_000)],
  ["half of a PNG", async () => (await receipt().png().toBuffer()).subarray(0, 6000)],
  ["a decompression bomb", () => bomb()],
  ["HEIC, which is not drawn here", heic],
  ["BMP, which is not drawn here", bmp],
  ["a single pixel", () => tinyPng],
  [
    "one colour",
    () =>
      sharp({ create: { width: 800, height: 1600, channels: 3, background: "#f4f1ea" } })
        .png()
        .toBuffer(),
  ],
];

it.each(withoutPicture)("%s is accepted quickly and known by its bytes alone", async (_what, make) => {
  const file = await make();
  const before = { at: Date.now(), memory: process.memoryUsage().rss };
  const id = await uploadScreenshot(buyer, file);
  const [fingerprint] = await known(id);
  expect(fingerprint).toMatchObject({ picture: null, edges: null, bands: null });
  expect(fingerprint?.sha256).toHaveLength(32);
  expect(Date.now() - before.at).toBeLessThan(3000);
  expect(process.memoryUsage().rss - before.memory).toBeLessThan(200 * 1024 ** 2);
});

it("what only claims to be an image is refused as ever", async () => {
  await expect(uploadScreenshot(buyer, Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"))).rejects.toThrow(
    /Please upload/,
  );
});

it("large pictures that come all at once are drawn one at a time, so that memory stays bounded", async () => {
  const file = await receipt().resize(2600, 5200).jpeg().toBuffer();
  await uploadScreenshot(buyer, file);
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 5);
  const ids = await Promise.all(Array.from({ length: 8 }, () => uploadScreenshot(buyer, file)));
  clearInterval(watch);
  for (const id of ids) expect((await known(id))[0]?.bands).toHaveLength(16);
  // Eight at once would need eight times the 13 million pixels of one, twice over.
  expect(most - before).toBeLessThan(160 * 1024 ** 2);
});

it("an upload that a crash ended after its last byte is completed once, however often that is tried", async () => {
  const { db, objects, config } = app.deps;
  const upload = { id: randomUUID(), ownerId: buyer.id, filename: "paid.png", bucket: screenshotBucket(config) };
  await writeFile(objects.folder.fileOf(upload.id), await receipt().png().toBuffer());
  const now = new Date();
  const [first, second] = await Promise.all([
    complete(db, objects.folder, upload, now),
    complete(db, objects.folder, upload, now),
  ]);
  expect(second).toEqual(first);
  expect(await complete(db, objects.folder, upload, now)).toEqual(first);
  expect(await known(upload.id)).toHaveLength(1);
});

it("an object whose fingerprint cannot be stored is not stored either, and its upload can be completed later", async () => {
  const { db, objects, config } = app.deps;
  const bucket = screenshotBucket(config);
  const upload = { id: randomUUID(), ownerId: buyer.id, filename: "paid.png", bucket };
  await writeFile(objects.folder.fileOf(upload.id), tinyPng);
  const failing = { ...bucket, examine: async () => () => Promise.reject(new Error("The database is gone.")) };
  await expect(complete(db, objects.folder, { ...upload, bucket: failing }, new Date())).rejects.toThrow(
    "The database is gone.",
  );
  expect(await app.sql("select 1 from stored_objects where id = $1", [upload.id])).toEqual([]);
  await complete(db, objects.folder, upload, new Date());
  expect(await known(upload.id)).toHaveLength(1);
});
