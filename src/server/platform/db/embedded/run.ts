import { spawn } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { runsAs, type DbAccount } from "./account.ts";

/** What a finished program left. */
export interface Outcome {
  ok: boolean;
  out: string;
  /** The line that tells what went wrong, or why it could not be started. */
  complaint: string;
}

/** A fixed environment: a stray PGPORT, PGDATA or locale of the operator must not reach PostgreSQL. */
export const CLEAN_ENVIRONMENT = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  LC_ALL: "C",
  TZ: "UTC",
} as unknown as NodeJS.ProcessEnv;

/** Runs a program to its end, as the given account or as oneself. Never throws. */
export function run(program: string, args: string[], account?: DbAccount): Promise<Outcome> {
  return new Promise((resolve) => {
    let out = "";
    let err = "";
    const failed = (error: unknown) => resolve({ ok: false, out, complaint: (error as Error).message });
    try {
      // cwd: the account may not be allowed into ours, and initdb insists on reading it.
      const child = spawn(program, args, {
        ...(account ? runsAs(account) : {}),
        cwd: "/",
        env: CLEAN_ENVIRONMENT,
        stdio: ["ignore", "pipe", "pipe"],
      });
      child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
      child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
      child.on("error", failed);
      child.on("close", (code) => resolve({ ok: code === 0, out, complaint: complaintIn(err) }));
    } catch (error) {
      failed(error);
    }
  });
}

/** Whether the account really gets there: tried as that account, so that every kind of permission counts. */
export async function canReach(account: DbAccount, right: "r" | "w", path: string): Promise<boolean> {
  if (account.stepsDown) return (await run("/bin/sh", ["-c", `test -${right} "$1"`, "sh", path], account)).ok;
  return access(path, right === "r" ? constants.R_OK : constants.W_OK).then(
    () => true,
    () => false,
  );
}

function complaintIn(text: string): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  // The first: what follows are its consequences.
  const told = lines.find((line) => /error:|FATAL|PANIC|could not/.test(line)) ?? lines.at(-1);
  return (told ?? "it ended without a word").replace(/^.*?(FATAL|PANIC): +/, "").trim();
}
