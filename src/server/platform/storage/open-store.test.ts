import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testClock } from "../../../../tests/support/app.ts";
import { secondsAfter } from "../clock.ts";
import { openObjectStore } from "./open-store.ts";

// FILE-18
it("removes files of a bucket that a killed process has left a day ago", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "pipwright-leftovers-"));
  const [folder, clock] = [join(dataDir, "from-s3"), testClock()];
  for (const [name, hours] of [
    ["file-old", 25],
    ["file-new", 23],
  ] as const) {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, "film"), "bytes");
    const changed = secondsAfter(clock.now(), -hours * 3600);
    await utimes(join(folder, name), changed, changed);
  }
  const s3 = {
    endpoint: "http://127.0.0.1:9",
    region: "a",
    bucket: "abc",
    accessKeyId: "a",
    secretAccessKey: "a",
    pathStyle: true,
  };
  const files = { dataDir, accelRedirect: undefined, maxScreenshotBytes: 1024, maxVideoBytes: 1024 };
  await openObjectStore({ files, s3 }, clock);
  expect(await readdir(folder)).toEqual(["file-new"]);
  await rm(dataDir, { recursive: true });
});
