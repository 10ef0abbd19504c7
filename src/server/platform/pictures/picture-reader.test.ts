import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, expect, inject, it, vi } from "vitest";
import { openPictureReader, type PictureReader } from "./picture-reader.ts";

vi.mock("sharp", () => {
  throw new Error("A picture was decoded in the server's own process.");
});

const receipt = {
  path: resolve(import.meta.dirname, "../../../../tests/support/payment-requests/receipt.png"),
  contentType: "image/png",
};

let reader: PictureReader | undefined;
let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), "pipwright-pictures-"))));
afterEach(async () => {
  await reader?.close();
  await rm(folder, { recursive: true });
});

it("decodes a picture in another process", async () => {
  reader = openPictureReader(inject("pictureWorker"), { maxJobMs: 300_000 });
  const finding = await reader.read("anna", receipt);
  expect(finding).toMatchObject({ kind: "decoded", fingerprint: { bands: expect.any(Array) } });
});

it("takes nothing for a picture that is of another type than its first bytes stated", async () => {
  reader = openPictureReader(inject("pictureWorker"), { maxJobMs: 300_000 });
  expect(await reader.read("anna", { ...receipt, contentType: "image/jpeg" })).toEqual({ kind: "broken" });
});

it.each([
  ["abort", "broken"],
  ["grow", "costly"],
  ["kill", "unavailable"],
])("a decoder that ends by %s makes the picture %s", async (action, kind) => {
  const script = join(folder, "worker.mjs");
  await writeFile(script, `process.on("message", () => (${ends[action]})); process.send("ready");`);
  reader = openPictureReader(script, { maxJobMs: 300_000 });
  expect(await reader.read("anna", receipt)).toEqual({ kind });
});

const ends: Record<string, string> = {
  abort: "process.abort()",
  grow: "process.exit(77)",
  kill: 'process.kill(process.pid, "SIGKILL")',
};

it("counts pictures as sound, and not as broken, on a machine that has no decoder", async () => {
  const script = join(folder, "worker.mjs");
  const reply = { reply: { kind: "no_decoder", message: "no build" }, isLast: false };
  await writeFile(script, `process.on("message", () => process.send(${JSON.stringify(reply)})); process.send("ready");`);
  reader = openPictureReader(script, { maxJobMs: 300_000 });
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
  for (let count = 0; count < 2; count += 1) expect(await reader.read("anna", receipt)).toEqual({ kind: "sound" });
  expect(warn).toHaveBeenCalledTimes(1);
});
