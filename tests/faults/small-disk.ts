import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { chmod, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const megabyte = 1024 ** 2;

/** A disk in memory that is filled and emptied again. */
export interface SmallDisk {
  folder: string;
  /** Leaves so many bytes free; returns a function that frees the rest again. */
  fillUpTo(left: number): Promise<() => Promise<void>>;
  remove(): Promise<void>;
}

function mount(folder: string, megabytes: number): void {
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=755`, "tmpfs", folder], { stdio: "ignore" });
}

/** Only root may mount, and not in every container; elsewhere the reserve is tested in `platform/storage` alone. */
export function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "pipwright-mount-"));
  try {
    mount(folder, 1);
    execFileSync("umount", [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
}

export async function mountSmallDisk(megabytes = 400): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), "pipwright-small-disk-"));
  mount(folder, megabytes);
  await chmod(folder, 0o755);
  return {
    folder,
    async fillUpTo(left) {
      const fillers = [join(folder, "most"), join(folder, "rest")] as const;
      const { bavail, bsize } = await statfs(folder);
      const size = bavail * bsize - left;
      execFileSync("fallocate", ["-l", String(size - Math.min(size, 8 * megabyte)), fillers[0]]);
      // The site writes meanwhile, so the last bytes may find no room: that is what they are for.
      spawnSync("dd", ["if=/dev/zero", `of=${fillers[1]}`, "bs=64K", `count=${8 * 16}`]);
      return async () => {
        for (const filler of fillers) await rm(filler);
      };
    },
    async remove() {
      execFileSync("umount", ["--lazy", folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
