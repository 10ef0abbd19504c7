import { open, readFile, rename, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { orAbsent } from "../errors.ts";

const MAX_BYTES = 5 * 1024 * 1024;

/** Opens `postgres.log` for a new server and returns where its lines begin. A log over 5 MB first becomes `postgres.log.1`. */
export async function openServerLog(home: string): Promise<{ handle: FileHandle; startsAt: number }> {
  const path = logPath(home);
  const size = (await stat(path).catch(orAbsent))?.size ?? 0;
  if (size > MAX_BYTES) await rename(path, `${path}.1`);
  return { handle: await open(path, "a", 0o600), startsAt: size > MAX_BYTES ? 0 : size };
}

/** Returns why a server ended: the last FATAL or PANIC line after a position in the log, or else the last line. */
export async function fatalLineSince(home: string, startsAt: number): Promise<string> {
  const text = (await readFile(logPath(home)).catch(() => Buffer.alloc(0))).subarray(startsAt).toString("utf8");
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const fatal = lines.filter((line) => /(FATAL|PANIC): /.test(line)).at(-1) ?? lines.at(-1);
  return (fatal ?? "it ended without a message").replace(/^.*?(FATAL|PANIC): +/, "");
}

/** Returns the path of the server's log. */
export function logPath(home: string): string {
  return join(home, "postgres.log");
}
