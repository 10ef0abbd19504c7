// The process that estimates passwords: its word lists take 50 MB, and a hostile password long enough to delay other requests.
import type { WorkerMessage } from "../workers/worker-protocol.ts";
import { isGuessable } from "./guesses.ts";
import type { PasswordJob } from "./password-checker.ts";

// A terminal's Ctrl-C reaches the whole group; the server drains first and ends this process itself.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit());

process.on("message", ({ password, own }: PasswordJob) => send({ reply: isGuessable(password, own), isLast: false }));
send("ready");

function send(message: WorkerMessage<boolean>): void {
  process.send?.(message);
}
