import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, inject, it, vi } from "vitest";
import { maxCaptionBytes, maxCues } from "#domain/materials/webvtt";
import { openCaptionReader, type CaptionReader } from "./caption-reader.ts";

vi.mock("#domain/materials/srt", () => {
  throw new Error("Captions were checked in the server's own process.");
});

let reader: CaptionReader;
afterEach(() => reader.close());

const largest = Buffer.from(`WEBVTT\n${"\n00:01.000 --> 00:02.000\nA caption of some words\n".repeat(maxCues)}`);

it("leaves the event loop free while it checks the largest file", async () => {
  reader = openCaptionReader(inject("captionWorker"), { maxJobMs: 300_000 });
  let ticks = 0;
  const counting = setInterval(() => (ticks += 1));
  const captions = await reader.toWebVtt(largest).finally(() => clearInterval(counting));
  expect(captions.toString().match(/-->/g)).toHaveLength(maxCues);
  expect(ticks).toBeGreaterThan(10);
});

// As many blocks, lines and tags as fit: the process has 128 MB for objects.
it.each([
  ["lines", "WEBVTT\n\nNOTE\n", "a\n", "captions_empty"],
  ["blocks", "WEBVTT\n\n", "a\n\n", "captions_line_time"],
  ["empty lines", "WEBVTT\n", "\n", "captions_empty"],
  ["times", "", "00:00:01,000 --> 00:00:02,000\n", "captions_line_gap"],
  ["open tags", "WEBVTT\n\n00:01.000 --> 00:02.000 <", "<", undefined],
])("replies to a hostile file of %s as to any other", async (_what, start, part, code) => {
  reader = openCaptionReader(inject("captionWorker"), { maxJobMs: 300_000 });
  const file = Buffer.from(start + part.repeat((maxCaptionBytes - start.length) / part.length));
  const reply = await reader.toWebVtt(file).catch((error: unknown) => error);
  expect(reply).toEqual(code === undefined ? expect.any(Buffer) : expect.objectContaining({ code }));
});

it.each([
  ["crashes", "process.abort()"],
  ["is killed", 'process.kill(process.pid, "SIGKILL")'],
  ["needs too much memory", "process.exit(77)"],
  ["never replies", "0"],
])("throws `unavailable` when the process %s", async (_what, action) => {
  const folder = await mkdtemp(join(tmpdir(), "pipwright-captions-"));
  try {
    const script = join(folder, "worker.mjs");
    await writeFile(script, `process.on("message", () => (${action})); process.send("ready");`);
    reader = openCaptionReader(script, { maxJobMs: 3000 });
    await expect(reader.toWebVtt(largest)).rejects.toMatchObject({ code: "unavailable", retryAfter: 10 });
  } finally {
    await rm(folder, { recursive: true });
  }
});
