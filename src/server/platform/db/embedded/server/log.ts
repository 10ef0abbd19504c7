import { open, readFile, rename, stat, statfs, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { orAbsent } from "../errors.ts";

const MAX_BYTES = 5 * 1024 * 1024;

/** PostgreSQL does not start with less room: a segment of its log of changes has 16 MB. */
const minBytes = 16 * 1024 * 1024;

/** Opens `postgres.log` for a new server and returns where its lines begin. A log over 5 MB first becomes `postgres.log.1`. */
export async function openServerLog(home: string): Promise<{ handle: FileHandle; startsAt: number }> {
  const path = logPath(home);
  const size = (await stat(path).catch(orAbsent))?.size ?? 0;
  if (size > MAX_BYTES) await rename(path, `${path}.1`);
  return { handle: await open(path, "a", 0o600), startsAt: size > MAX_BYTES ? 0 : size };
}

/** Returns why a server ended: the last FATAL or PANIC line after a position in the log, or else that the disk is full, or the last line. */
export async function fatalLineSince(home: string, startsAt: number): Promise<string> {
  const text = (await readFile(logPath(home)).catch(() => Buffer.alloc(0))).subarray(startsAt).toString("utf8");
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const fatal = lines.findLast((line) => /(FATAL|PANIC): /.test(line));
  // A server that cannot write its log ends without a word, or with half of one.
  if ((fatal === undefined || !text.endsWith("\n")) && (await isDiskFull(home))) return "its disk is full";
  if (fatal !== undefined) return fatal.replace(/^.*?(FATAL|PANIC): +/, "");
  return lines.at(-1) ?? "it ended without a message";
}

async function isDiskFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < minBytes;
}

/** Returns the path of the server's log. */
export function logPath(home: string): string {
  return join(home, "postgres.log");
}
