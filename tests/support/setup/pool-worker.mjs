// A worker process for tests of the pool: does what a job says.
import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

process.on("disconnect", () => process.exit());
process.on("message", (job) => void run(job));
process.send?.("ready");

async function run({ action, value }) {
  if (action === "hang") for (;;);
  if (action === "abort") process.abort();
  if (action === "grow") process.exit(77);
  if (action === "kill") process.kill(process.pid, "SIGKILL");
  if (action === "wait") while (!existsSync(value)) await wait(5);
  const secrets = Object.keys(process.env).filter((name) => name !== "NODE_CHANNEL_FD");
  process.send?.({ reply: { value, pid: process.pid, secrets }, isLast: action === "last" });
}
