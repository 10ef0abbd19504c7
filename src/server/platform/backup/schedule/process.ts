import { spawn } from "node:child_process";
import { BackupError } from "../archive.ts";

/**
 * Writes a backup to a new file, which has its name only when it is whole. Returns how many stored files it lacks. Throws when it fails, and
 * when `stop` is aborted; a draft of it may then be left.
 */
export type WriteBackup = (path: string, stop: AbortSignal) => Promise<number>;

/** What the command sends to the process that started it, once the backup has its name. */
export interface WrittenBackup {
  lostFiles: number;
}

/** Characters that are kept of what the command says of an error. */
const maxProblemLength = 300;

/** Returns a function that runs the command of `npm run backup` as a process of its own. Its lines go where this process's go. */
export function backupProcess(script: string): WriteBackup {
  return async (path, stop) => {
    // A warning would stand before the reason of a failure.
    const child = spawn(process.execPath, ["--no-warnings", script, path], { stdio: ["ignore", "inherit", "pipe", "ipc"] });
    let problem = "";
    let written: WrittenBackup | undefined;
    child.on("message", (message: WrittenBackup) => (written = message));
    const add = (text: string): void => void (problem = (problem + text).slice(0, maxProblemLength));
    child.on("error", ({ message }) => add(message));
    child.stderr!.setEncoding("utf8").on("data", add);
    const kill = (): void => void child.kill();
    stop.addEventListener("abort", kill);
    if (stop.aborted) kill();
    // Not before it is gone: it may still finish.
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((ended) =>
      child.once("close", (...how) => ended(how)),
    );
    stop.removeEventListener("abort", kill);
    if (written) return written.lostFiles;
    throw new BackupError(problem.trim().split("\n")[0] || `It was ended by ${signal ?? `code ${code}`}.`);
  };
}
