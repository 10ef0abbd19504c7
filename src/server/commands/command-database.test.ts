import { once } from "node:events";
import { afterEach, expect, it, vi } from "vitest";
import { readConfig } from "../config.ts";
import { withConnection } from "./command-database.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const others = signals.map((signal) => process.listeners(signal));
afterEach(() => {
  for (const [index, signal] of signals.entries())
    for (const listener of process.listeners(signal).filter((one) => !others[index]!.includes(one)))
      process.off(signal, listener);
  vi.restoreAllMocks();
});

// BACKUP-1
it.each(signals)("a command ends once its action has cleaned up, though %s arrives twice", async (signal) => {
  const events: string[] = [];
  const exited = new Promise<void>((resolve) => {
    vi.spyOn(process, "exit").mockImplementation((code) => {
      events.push(`exit ${code}`);
      resolve();
      return undefined as never;
    });
  });
  const running = withConnection(readConfig({ DATABASE_URL: "postgres://host/course" }), async ({ stopped }) => {
    setImmediate(() => [signal, signal].forEach((one) => process.emit(one, one)));
    await once(stopped, "abort");
    await new Promise((resolve) => void setImmediate(resolve));
    events.push("cleaned up");
    throw stopped.reason;
  });
  await expect(running).rejects.toThrow(`Stopped by ${signal}.`);
  await exited;
  expect(events).toEqual(["cleaned up", expect.stringMatching(/^exit (130|143|129)$/)]);
});
