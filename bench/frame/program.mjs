// @ts-check
// A program that a bench waits for, and that ends with it.
import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Runs a program to its end. Throws where it fails, and where the bench is being closed, which has it end first.
 * @param {Pick<import("./bench.mjs").Bench, "closing">} bench @param {string} command @param {string[]} args
 * @param {Pick<import("node:child_process").SpawnOptions, "cwd" | "env">} [options]
 */
export async function runProgram({ closing }, command, args, options = {}) {
  closing.throwIfAborted();
  const child = spawn(command, args, { ...options, stdio: ["ignore", "ignore", "inherit"], detached: true });
  const ended = once(child, "exit");
  const end = () => {
    try {
      // To all of its group, as Ctrl-C in a terminal, after which Lighthouse ends its browser.
      if (child.pid !== undefined) process.kill(-child.pid, "SIGINT");
    } catch {
      // It has ended.
    }
  };
  closing.addEventListener("abort", end);
  try {
    const [status] = await ended;
    closing.throwIfAborted();
    if (status !== 0) throw new Error(`${command} ${args[0]} failed (${status}).`);
  } finally {
    closing.removeEventListener("abort", end);
  }
}
