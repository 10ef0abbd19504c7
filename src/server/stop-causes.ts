import { monotonicMs } from "./platform/clock.ts";
import { isDatabaseUnavailable } from "./platform/db/unavailable.ts";
import { errorLine } from "./platform/logging/describe-error.ts";
import type { Shutdown } from "./shutdown.ts";

/** Ctrl-C through npm arrives twice: from the terminal and from npm. */
const sameSignalMs = 1000;

/** Stops on SIGINT and SIGTERM. A second one, after a second, leaves at once. */
export function stopOnSignals(shutdown: Shutdown): void {
  let first: number | undefined;
  const onSignal = (): void => {
    const now = monotonicMs();
    if (first !== undefined && now - first > sameSignalMs) process.exit(1);
    if (first !== undefined) return;
    first = now;
    console.log("Stopping…");
    shutdown.request({ code: 0 });
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
}

/**
 * Handles what no code caught, rejections included. A lost connection is logged: whatever needs it reconnects. Anything else
 * leaves the process in an unknown state, so it stops with one line and code 1.
 */
export function stopOnUncaughtErrors(shutdown: Shutdown): void {
  process.on("uncaughtException", (error: unknown) => {
    if (isDatabaseUnavailable(error)) console.error(`Connection lost: ${errorLine(error)}`);
    else shutdown.request({ code: 1, lines: [`Stopping after an unexpected error: ${oneLine(error)}`] });
  });
}

function oneLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The message of a failed query would hold its values, so only the frames are taken from the stack.
  const frames = (error.stack ?? "").split("\n").filter((line) => line.startsWith("    at "));
  return [`${error.name}: ${errorLine(error)}`, ...frames.map((frame) => frame.trim())].join(" | ");
}
