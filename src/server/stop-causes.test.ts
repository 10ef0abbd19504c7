import { afterEach, expect, it, vi } from "vitest";
import type { Shutdown } from "./shutdown.ts";
import { stopOnSignals } from "./stop-causes.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const before = new Map(signals.map((signal) => [signal, process.listeners(signal)]));
afterEach(() => {
  for (const signal of signals)
    for (const listener of process.listeners(signal))
      if (!before.get(signal)!.includes(listener)) process.off(signal, listener);
});

// RUN-1: a closed terminal sends SIGHUP.
it.each(signals)("stops on %s, once where it comes twice", (signal) => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const request = vi.fn<Shutdown["request"]>();
  stopOnSignals({ request } as unknown as Shutdown);
  process.emit(signal);
  process.emit(signal);
  expect(request.mock.calls).toEqual([[{ code: 0 }]]);
});
