import { appendFile, readFile } from "node:fs/promises";

/**
 * The files whose bytes a move has compared, in a file of the data folder: a line for each, with what it was moved to. A later run need not read them
 * again. A last line that was cut off counts for nothing.
 */
export async function openCheckedFiles(path: string, target: string) {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  const ids = new Set<string>();
  for (const line of text.split("\n").slice(0, -1)) {
    if (line.slice(36) === ` ${target}`) ids.add(line.slice(0, 36));
  }
  // A cut line must not run into the next.
  let isAtLineStart = text === "" || text.endsWith("\n");
  return {
    has: (id: string): boolean => ids.has(id),
    async add(id: string): Promise<void> {
      const start = isAtLineStart ? "" : "\n";
      isAtLineStart = true;
      await appendFile(path, `${start}${id} ${target}\n`, { mode: 0o600 });
      ids.add(id);
    },
  };
}
