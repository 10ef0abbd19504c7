import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { ask, asSuperuser, killHard, namesIn, Rig, serverPid } from "../../../../../tests/support/embedded-postgres/rig.ts";
import { processesOn } from "../../../../../tests/support/processes.ts";
import { soon } from "../../../../../tests/support/soon.ts";
import { signal } from "./os/processes.ts";
import { DataFolderInUseError, DatabaseStartError } from "./supervisor.ts";

const rig = new Rig();
afterEach(() => rig.clear());
afterAll(() => rig.dispose());

const newDataDir = async () => join(await rig.folder(), "data");
const patience = { timeout: 90_000, interval: 50 };

it.each(["SIGKILL", "SIGQUIT", "SIGINT", "SIGTERM"] as const)(
  "starts PostgreSQL again after %s with its data and its owner",
  async (name) => {
    const dataDir = await rig.madeDataDir();
    const server = await rig.start({ dataDir });
    await ask(server.connection, "create table kept as select 1 as n");
    const client = new pg.Client(server.connection);
    client.on("error", () => undefined);
    await client.connect();
    const pid = await serverPid(server.clusterDir);

    signal(pid, name);

    await expect.poll(() => serverPid(server.clusterDir).catch(() => pid), patience).not.toBe(pid);
    await soon(async () => expect(await ask(server.connection, "select n from kept")).toEqual([{ n: 1 }]));
    await expect.poll(() => rig.said, patience).toContain("PostgreSQL runs again");
    await expect(rig.start({ dataDir })).rejects.toThrow(DataFolderInUseError);
    await server.stop();
    await expect(serverPid(server.clusterDir)).rejects.toThrow(/No server/);
  },
);

it("reports once that PostgreSQL cannot start again", async () => {
  const dataDir = await rig.madeDataDir();
  const onLost = vi.fn<(error: Error) => void>();
  const server = await rig.start({ dataDir, onLost });
  await writeFile(join(server.clusterDir, "PG_VERSION"), "9.6\n");

  await killHard(await serverPid(server.clusterDir));

  await expect.poll(() => onLost.mock.calls.length, patience).toBe(1);
  expect(onLost.mock.calls[0]![0]).toBeInstanceOf(DatabaseStartError);
  expect(onLost.mock.calls[0]![0].message).toMatch(/^PostgreSQL cannot be kept running: .*incompatible/);
  await server.stop();
});

it("stops restarting when another process owns the folder", async () => {
  const dataDir = await rig.madeDataDir();
  const onLost = vi.fn<(error: Error) => void>();
  const server = await rig.start({ dataDir, onLost });
  const lock = "select pg_advisory_lock(classid::int, objid::int) from pg_locks where locktype = 'advisory'";
  const rival = new pg.Client({
    ...asSuperuser(server.connection),
    database: "postgres",
    application_name: `pipwright owner ${process.ppid}`,
  });
  rival.on("error", () => undefined);
  await rival.connect();
  const waiting = rival.query(lock);
  await soon(async () => {
    const rows = await ask(server.connection, "select 1 from pg_locks where locktype = 'advisory' and not granted");
    expect(rows.length).toBe(1);
  });

  await ask(
    asSuperuser(server.connection),
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like '%owner ${process.pid}'`,
  );

  await waiting;
  await expect.poll(() => onLost.mock.calls.length, patience).toBe(1);
  expect(onLost.mock.calls[0]![0]).toBeInstanceOf(DataFolderInUseError);
  await rival.end();
  await server.stop();
});

it("starts while a smart shutdown waits for a connected client", async () => {
  const dataDir = await rig.madeDataDir();
  const product = await rig.product({ dataDir });
  const { connection, clusterDir } = await product.ready();
  const client = new pg.Client(connection);
  client.on("error", () => undefined);
  await client.connect();
  const pid = await serverPid(clusterDir);
  await product.end("SIGKILL");
  signal(pid, "SIGTERM");

  const server = await rig.start({ dataDir });

  expect(await serverPid(clusterDir)).not.toBe(pid);
  await server.stop();
});

it("stops while PostgreSQL is being started again", async () => {
  const dataDir = await rig.madeDataDir();
  const server = await rig.start({ dataDir });
  await killHard(await serverPid(server.clusterDir));
  await expect.poll(() => rig.said, patience).toContain("PostgreSQL is gone: starting it again ...");
  await server.stop();
  expect(await processesOn(dataDir)).toEqual([]);
});

it.each([0, 50, 150, 300, 500, 800, 1200, 2000])("leaves no process when aborted %i ms into the first start", async (delay) => {
  const dataDir = await newDataDir();
  const stopping = new AbortController();
  const start = rig.start({ dataDir, stopped: stopping.signal }).then(
    (server) => server.stop(),
    (error: unknown) => expect(error).toBe(stopping.signal.reason),
  );
  await pause(delay);
  stopping.abort();
  await start;
  expect(await processesOn(dataDir)).toEqual([]);
  const names = await namesIn(join(dataDir, "postgres")).catch(() => []);
  expect(names.filter((name) => name.startsWith("cluster."))).toEqual([]);
  await rm(dataDir, { recursive: true, force: true });
});
