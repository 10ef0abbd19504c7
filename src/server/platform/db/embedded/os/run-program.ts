import { spawn } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { spawnAs, type DbAccount } from "./accounts.ts";

/** The result of a program. */
export interface Outcome {
  ok: boolean;
  /** Standard output. */
  out: string;
  /** The line of standard error that names the cause, or why the program could not be started. */
  error: string;
}

/** The environment of PostgreSQL's programs: an operator's PGPORT, PGDATA or locale must not reach them. */
export const CLEAN_ENVIRONMENT = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
} as unknown as NodeJS.ProcessEnv;

/** Runs a program to its end, as the given account or as the current one. Never throws. */
export function run(program: string, args: string[], account?: DbAccount): Promise<Outcome> {
  return new Promise((resolve) => {
    let out = "";
    let err = "";
    const failed = (error: unknown) => resolve({ ok: false, out, error: (error as Error).message });
    try {
      // cwd: initdb reads it, and the account may have no access to ours.
      const child = spawn(program, args, {
        ...(account ? spawnAs(account) : {}),
        cwd: "/",
        env: CLEAN_ENVIRONMENT,
        stdio: ["ignore", "pipe", "pipe"],
      });
      child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
      child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
      child.on("error", failed);
      child.on("close", (code) => resolve({ ok: code === 0, out, error: errorIn(err) }));
    } catch (error) {
      failed(error);
    }
  });
}

/** Returns whether the account can read or write a path. Tries it as that account, so every kind of permission counts. */
export async function canAccess(account: DbAccount, right: "r" | "w", path: string): Promise<boolean> {
  if (account.switchesUser) return (await run("/bin/sh", ["-c", `test -${right} "$1"`, "sh", path], account)).ok;
  return access(path, right === "r" ? constants.R_OK : constants.W_OK).then(
    () => true,
    () => false,
  );
}

function errorIn(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  // The first error; later ones are its consequences.
  const found = lines.find((line) => /error:|FATAL|PANIC|could not/.test(line)) ?? lines.at(-1);
  return (found ?? "it ended without a message").replace(/^.*?(FATAL|PANIC): +/, "").trim();
}
