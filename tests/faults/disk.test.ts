import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, it } from "vitest";
import { byForm } from "./form.ts";
import { siteUnderTraffic } from "./running-site.ts";

const megabyte = 1024 ** 2;
let disk: string;

function mountSmallDisk(folder: string): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=400m,mode=755", "tmpfs", folder], { stdio: "ignore" });
}

/** Only root may mount, and not in every container; elsewhere the reserve is tested in `platform/storage` alone. */
function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "pipwright-mount-"));
  try {
    mountSmallDisk(folder);
    execFileSync("umount", [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
}

/** Leaves so many bytes free; returns what gives the rest back. */
async function fillUpTo(left: number): Promise<() => Promise<void>> {
  const fillers = [join(disk, "most"), join(disk, "rest")];
  const { bavail, bsize } = await statfs(disk);
  const size = bavail * bsize - left;
  execFileSync("fallocate", ["-l", String(size - Math.min(size, 8 * megabyte)), fillers[0] as string]);
  // The site writes meanwhile, so the last bytes may find no room: that is what they are for.
  spawnSync("dd", ["if=/dev/zero", `of=${fillers[1]}`, "bs=64K", `count=${8 * 16}`]);
  return async () => {
    for (const filler of fillers) await rm(filler);
  };
}

describe.runIf(canMount())("on a small disk", () => {
  afterAll(async () => {
    if (disk === undefined) return;
    execFileSync("umount", ["--lazy", disk]);
    await rm(disk, { recursive: true, force: true });
  });
  const { survives } = siteUnderTraffic({
    async environment() {
      disk = await mkdtemp(join(tmpdir(), "pipwright-small-disk-"));
      mountSmallDisk(disk);
      const dataDir = join(disk, "data");
      await mkdir(dataDir);
      await chmod(disk, 0o755);
      return { DATA_DIR: dataDir };
    },
  });

  it("survives a disk that is at its reserve", () =>
    survives({
      name: "disk at its reserve",
      lastsMs: byForm(4000, 15_000),
      unready: /"part":"disk"/,
      begin: () => fillUpTo(32 * megabyte),
    }));

  it("survives a disk that is full", () =>
    survives({
      name: "disk full",
      lastsMs: byForm(4000, 15_000),
      unready: /"part":"disk"/,
      begin: () => fillUpTo(0),
    }));
});
