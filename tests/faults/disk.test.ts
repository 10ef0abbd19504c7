import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, it } from "vitest";
import { byForm } from "./form.ts";
import { siteUnderTraffic } from "./running-site.ts";
import { canMount, mountSmallDisk, type SmallDisk } from "./small-disk.ts";

const megabyte = 1024 ** 2;
let disk: SmallDisk;

describe.runIf(canMount())("on a small disk", () => {
  afterAll(async () => {
    await disk?.remove();
  });
  const { survives } = siteUnderTraffic({
    async environment() {
      disk = await mountSmallDisk();
      const dataDir = join(disk.folder, "data");
      await mkdir(dataDir);
      return { DATA_DIR: dataDir };
    },
  });

  it("survives a disk that is at its reserve", () =>
    survives({
      name: "disk at its reserve",
      lastsMs: byForm(4000, 15_000),
      unready: /"part":"disk"/,
      begin: () => disk.fillUpTo(32 * megabyte),
    }));

  it("survives a disk that is full", () =>
    survives({
      name: "disk full",
      lastsMs: byForm(4000, 15_000),
      unready: /"part":"disk"/,
      begin: () => disk.fillUpTo(0),
    }));
});
