import { open, readFile, rename, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { orAbsent } from "./errors.ts";

const LARGEST = 5 * 1024 * 1024;

/** Opens `postgres.log` for a new server; a long one first becomes `postgres.log.1`. */
export async function openServerLog(home: string): Promise<{ handle: FileHandle; startsAt: number }> {
  const path = logPath(home);
  const size = (await stat(path).catch(orAbsent))?.size ?? 0;
  if (size > LARGEST) await rename(path, `${path}.1`);
  return { handle: await open(path, "a", 0o600), startsAt: size > LARGEST ? 0 : size };
}

/** Why a server ended: the last fatal line since a position in the log. */
export async function fatalLineSince(home: string, startsAt: number): Promise<string> {
  const text = (await readFile(logPath(home)).catch(() => Buffer.alloc(0))).subarray(startsAt).toString("utf8");
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const fatal = lines.filter((line) => /(FATAL|PANIC): /.test(line)).at(-1) ?? lines.at(-1);
  return (fatal ?? "it ended without a word").replace(/^.*?(FATAL|PANIC): +/, "");
}

/** Where the server writes its log. */
export function logPath(home: string): string {
  return join(home, "postgres.log");
}
