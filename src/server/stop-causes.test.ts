import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { scratchDatabase } from "../../tests/support/database/scratch-database.ts";
import { openDatabase } from "./platform/db/database.ts";
import type { Shutdown } from "./shutdown.ts";
import { stopOnRenewedSecrets, stopOnSignals } from "./stop-causes.ts";

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

// RUN-7
it("stops where the database has other secrets, not where it cannot be asked", async () => {
  const { client, connection, drop } = await scratchDatabase("migrated");
  const db = openDatabase(connection, () => {});
  onTestFinished(async () => {
    await db.$client.end();
    await drop();
  });
  const request = vi.fn<Shutdown["request"]>();
  const onError = vi.fn<(what: string) => void>();
  const secrets = { fingerprint: Buffer.from("old") };
  const parts = { db, dataDir: "/data", secrets, changes: { subscribe: () => () => {} }, onError };
  const job = stopOnRenewedSecrets({ request } as unknown as Shutdown, parts);

  await client.query("alter table secrets_fingerprint rename to away");
  await job.run();
  expect(onError.mock.calls).toEqual([["The secrets could not be compared with the database's", expect.any(Error)]]);
  await client.query("alter table away rename to secrets_fingerprint");
  await job.run();
  expect((await client.query("select from secrets_fingerprint")).rowCount).toBe(0);
  await client.query("insert into secrets_fingerprint (fingerprint) values ('old')");
  await job.run();
  expect(request).not.toHaveBeenCalled();

  await client.query("update secrets_fingerprint set fingerprint = 'new'");
  await job.run();
  const line = expect.stringMatching(/^\/data\/secrets\.json is not the one that the database is used with\./);
  expect(request.mock.calls).toEqual([[{ code: 1, lines: [line] }]]);
});
