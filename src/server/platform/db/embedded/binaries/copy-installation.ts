import { chmod, copyFile, mkdir, mkdtemp, readdir, readlink, rename, rm, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemCode } from "../errors.ts";
import { syncToDisk } from "../os/disk.ts";
import { makeFolder } from "../os/make-folder.ts";

// Only needed to build extensions: a third of the files.
const LEFT_OUT = /\.a$|^pgxs$|^pkgconfig$/;

/** Copies an installation, readable for everyone, unless `to` exists. Two processes may copy at the same time. */
export async function copyInstallation(from: string, to: string): Promise<void> {
  if (await stat(to).catch(() => undefined)) return;
  await makeFolder(dirname(to));
  const draft = await mkdtemp(`${to}.new-`);
  try {
    await copyFolder(from, draft);
    await rename(draft, to);
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST"].includes(systemCode(error) ?? "")) throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  // The source's mode or our umask may exclude other accounts.
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (LEFT_OUT.test(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await copyFolder(source, target);
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else await copyOneFile(source, target);
  }
}

async function copyOneFile(source: string, target: string): Promise<void> {
  await copyFile(source, target);
  await chmod(target, (await stat(source)).mode & 0o100 ? 0o755 : 0o644);
  await syncToDisk(target);
}
