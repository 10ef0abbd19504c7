import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { renderSVG } from "uqr";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { mutationNames, tryToRead } from "../../../../tests/support/slips/corpus.ts";
import { randomOf } from "../../../../tests/support/slips/random.ts";
import { slipsPicture } from "../../../../tests/support/slips/slip-picture.ts";
import { randomSlip, slipText } from "../../../../tests/support/slips/slip-text.ts";
import { openSlipReader, type SlipFinding, type SlipReader } from "./slip-reader.ts";

let reader: SlipReader;
let folder: string;
beforeAll(async () => {
  reader = openSlipReader(inject("pictureWorker"), { maxJobMs: 300_000 });
  folder = await mkdtemp(join(tmpdir(), "pipwright-slips-"));
});
afterAll(async () => {
  await reader?.close();
  await rm(folder, { recursive: true });
});

let files = 0;
async function scan(bytes: Buffer, contentType = "image/png", by = reader): Promise<SlipFinding> {
  files += 1;
  const path = join(folder, `picture-${files}`);
  await writeFile(path, bytes);
  return by.scan({ path, contentType });
}

const codeSvg = (text: string, pixelSize = 4): Buffer => Buffer.from(renderSVG(text, { pixelSize, border: 4 }));
const code = (text: string): Promise<Buffer> => sharp(codeSvg(text)).png().toBuffer();
const someSlip = randomSlip(randomOf(1));

/** SLIP-1. `node bench/slips.mjs` tries 300, with another seed each time. */
describe("the code of a slip", () => {
  it.each(
    mutationNames.flatMap(
      (name, index) =>
        [
          [name, index],
          [name, index + mutationNames.length],
        ] as const,
    ),
  )("is read from a slip that is %s (%i)", async (_name, number) => {
    expect((await tryToRead(reader, folder, number, 2026)).outcome).toBe("read");
  });

  it("is found beside other codes", async () => {
    const others = ["https://example.com/slip", "0".repeat(300), slipText(someSlip).replace(/.$/, "Z")];
    const inputs = await Promise.all(
      [...others, slipText(someSlip)].map(async (text, index) => ({
        input: await code(text),
        left: 40 + (index % 2) * 500,
        top: 40 + Math.floor(index / 2) * 500,
      })),
    );
    const sheet = sharp({ create: { width: 1200, height: 1200, channels: 3, background: "#ffffff" } }).composite(inputs);
    expect(await scan(await sheet.png().toBuffer())).toEqual({ kind: "scanned", codes: [someSlip] });
  });

  it.each([[2], [4], [7]])("is read from each of two slips side by side (%i)", async (seed) => {
    const random = randomOf(seed);
    const both = [randomSlip(random), randomSlip(random)];
    const finding = await scan(await slipsPicture(both, seed));
    expect(finding).toEqual({ kind: "scanned", codes: expect.arrayContaining(both) });
    expect(finding).toMatchObject({ codes: { length: 2 } });
  });

  it("is named once where the picture has it twice", async () => {
    expect(await scan(await slipsPicture([someSlip, someSlip]))).toEqual({ kind: "scanned", codes: [someSlip] });
  });

  it("is not found in another code, a code with a wrong checksum, or none", async () => {
    for (const text of ["https://example.com/slip", slipText(someSlip).replace(/.$/, "Z")]) {
      expect(await scan(await code(text))).toEqual({ kind: "scanned", codes: [] });
    }
    const grey = sharp({ create: { width: 900, height: 1600, channels: 3, background: "#808080" } });
    expect(await scan(await grey.png().toBuffer())).toEqual({ kind: "scanned", codes: [] });
  });
});

/** SLIP-2. */
describe("a hostile picture", () => {
  it("of a thousand codes is looked at in bounds, and the next slip is read", async () => {
    const tile = await sharp(codeSvg("x", 1)).png().toBuffer();
    const sheet = sharp({ create: { width: 1160, height: 1160, channels: 3, background: "#ffffff" } });
    const many = await sheet
      .composite([{ input: tile, tile: true }])
      .png()
      .toBuffer();
    expect(await scan(many)).toEqual({ kind: "scanned", codes: [] });
    expect(await scan(await code(slipText(someSlip)))).toEqual({ kind: "scanned", codes: [someSlip] });
  });

  it("with a code of the longest text says nothing", async () => {
    expect(await scan(await code("00".repeat(1400)))).toEqual({ kind: "scanned", codes: [] });
  });

  it.each([
    ["that is no picture", Buffer.from("no picture"), "image/png"],
    ["of another type", Buffer.from("\x89PNG\r\n\x1a\n"), "image/jpeg"],
    ["of a format that is not decoded", Buffer.from("BM"), "image/bmp"],
  ])("%s is unreadable", async (_what, bytes, contentType) => {
    expect(await scan(bytes, contentType)).toEqual({ kind: "unreadable" });
    expect(await scan(await code(slipText(someSlip)))).toEqual({ kind: "scanned", codes: [someSlip] });
  });

  it("larger than we decode is unreadable", async () => {
    const wide = sharp({ create: { width: 20_001, height: 500, channels: 3, background: "#ffffff" } });
    expect(await scan(await wide.png().toBuffer())).toEqual({ kind: "unreadable" });
  });

  it.each([
    ["abort", "process.abort()", 300_000],
    ["grow", "process.exit(77)", 300_000],
    ["hang", "(() => { for (;;); })()", 15_000],
  ])("that makes its process %s is unreadable", async (_how, action, maxJobMs) => {
    const script = join(folder, "worker.mjs");
    await writeFile(script, `process.on("message", () => ${action}); process.send("ready");`);
    const failing = openSlipReader(script, { maxJobMs });
    expect(await scan(await code("x"), "image/png", failing)).toEqual({ kind: "unreadable" });
    await failing.close();
  });

  it("that is not to blame for the end of its process may be read again", async () => {
    const script = join(folder, "worker.mjs");
    await writeFile(script, `process.on("message", () => process.kill(process.pid, "SIGKILL")); process.send("ready");`);
    const failing = openSlipReader(script);
    await expect(scan(await code("x"), "image/png", failing)).rejects.toMatchObject({ reason: "lost" });
    await failing.close();
  });
});
