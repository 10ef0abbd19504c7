// @ts-check
// The programs of a run, which end before it does.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";

/** How often programs that were asked to stop are looked at, every 100 ms, before they are killed. */
const maxLooks = 100;

/** Each program's process group, which holds what it has started itself. @type {Set<number>} */
const groups = new Set();
let isListening = false;
let isStopping = false;

/**
 * Runs a program to its end and returns its exit code and what it printed. Does not return while this process stops.
 * @param {string} command @param {string[]} args @param {NodeJS.ProcessEnv} env
 */
export async function runToEnd(command, args, env) {
  exitAtSignals();
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], env, detached: true });
  const { pid } = child;
  if (pid !== undefined) groups.add(pid);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const [status] = await once(child, "close");
  if (isStopping) await new Promise(() => {});
  if (pid !== undefined && !signal(pid, 0)) groups.delete(pid);
  return { status, output };
}

/** Ends this process at a signal, and the programs first: they write to folders that its end removes. */
export function exitAtSignals() {
  if (isListening) return;
  isListening = true;
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(name, () => void stop());
  process.on("exit", () => groups.forEach((pid) => signal(pid, "SIGKILL")));
}

async function stop() {
  if (isStopping) return;
  isStopping = true;
  // As Ctrl-C does in a terminal, where they end in good order.
  for (const pid of groups) signal(pid, "SIGINT");
  for (let looks = 0; looks < maxLooks && [...groups].some((pid) => signal(pid, 0)); looks++) await wait(100);
  process.exit(1);
}

/** Returns whether the group is there. @param {number} pid @param {NodeJS.Signals | 0} name */
function signal(pid, name) {
  try {
    process.kill(-pid, name);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code !== "ESRCH";
  }
}
