// @ts-check
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exitAtSignals } from "./children.mjs";

/**
 * Sets TMPDIR to a folder in memory, which goes with the process, for what tests write: thousands of scratch databases for the most part.
 * Does nothing where no memory has room and runs programs, or where TMPDIR is set.
 */
export function testInMemory() {
  const base = process.env["TMPDIR"] ? undefined : memoryBase(6 * 1024 ** 3);
  if (!base) return;
  const folder = mkdtempSync(join(base, "pipwright-"));
  // PostgreSQL runs under another account when root starts it.
  chmodSync(folder, 0o1777);
  process.env["TMPDIR"] = folder;
  // First, so that its programs are killed before their folder goes.
  exitAtSignals();
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
}

/**
 * Returns a folder in memory with this much room, in bytes; undefined where there is none. PostgreSQL waits for a disk most of its time. Tests write programs
 * too, and a container's memory often runs none (noexec).
 */
export function memoryBase(/** @type {number} */ room) {
  try {
    const { bavail, bsize } = statfsSync("/dev/shm");
    return bavail * bsize >= room && runsPrograms("/dev/shm") ? "/dev/shm" : undefined;
  } catch {
    return undefined;
  }
}

/** @param {string} base */
function runsPrograms(base) {
  const folder = mkdtempSync(join(base, "pipwright-"));
  try {
    const program = join(folder, "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    return spawnSync(program).status === 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
