import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { testClock } from "../../../../tests/support/app.ts";
import { secondsAfter } from "../clock.ts";
import { openObjectStore } from "./open-store.ts";
import { makeFetchFolder } from "./s3/fetched-files.ts";

// FILE-18
it("removes files of a bucket that a killed process has left", async () => {
  const ended = spawnSync(process.execPath, ["--version"]).pid;
  const dataDir = await mkdtemp(join(tmpdir(), "pipwright-leftovers-"));
  const [folder, clock] = [join(dataDir, "from-s3"), testClock()];
  for (const [name, hours] of [
    ["file-old", 25],
    ["file-new", 23],
    [`file-${hostname()}-${ended}-a1B2c3`, 0],
    [`file-${hostname()}-${process.ppid}-a1B2c3`, 0],
    [`file-${hostname()}-${process.pid}-a1B2c3`, 0],
    [`file-other.${hostname()}-${ended}-a1B2c3`, 0],
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
  const own = basename(await makeFetchFolder(folder));
  await openObjectStore({ files, s3 }, clock);
  const [ofParent, ofOthers] = [`file-${hostname()}-${process.ppid}-a1B2c3`, `file-other.${hostname()}-${ended}-a1B2c3`];
  expect((await readdir(folder)).toSorted()).toEqual(["file-new", own, ofParent, ofOthers].toSorted());
  await rm(dataDir, { recursive: true });
});
