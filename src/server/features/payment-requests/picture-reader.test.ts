import { execFileSync } from "node:child_process";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { tinyPng } from "../../../../tests/support/payments.ts";
import { readGreyPixels } from "./picture-reader.ts";

let folder: string;
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), "pipwright-pictures-"))));
afterEach(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true });
});

const read = (path: string) => readGreyPixels({ id: "any", path, contentType: "image/png" });

it("nobody waits for long behind a picture that never ends, and once it does the next is drawn again", async () => {
  const [endless, fine] = [join(folder, "endless"), join(folder, "fine")];
  await writeFile(fine, tinyPng);
  expect(await read(fine)).toMatchObject({ width: 1, height: 1 });
  execFileSync("mkfifo", [endless]);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const answers = Promise.all([read(endless), read(fine)]);
  await vi.waitUntil(() => vi.getTimerCount() === 2, { timeout: 2000, interval: 1 });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(await answers).toEqual([undefined, undefined]);
  vi.useRealTimers();
  // The reader's end is opened by now; nothing comes, and it is gone when the library looks again.
  const writer = await open(endless, "w");
  await rm(endless);
  await writer.close();
  expect(await read(fine)).toMatchObject({ width: 1, height: 1 });
});
