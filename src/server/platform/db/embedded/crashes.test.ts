import { spawn } from "node:child_process";
import { appendFile, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, expect, it } from "vitest";
import { ask, FAST, killHard, namesIn, Rig, serverPid } from "../../../../../tests/support/embedded-postgres/rig.ts";
import { findPackagedPostgres, type PostgresBinaries } from "./binaries/find-binaries.ts";
import { signal } from "./os/processes.ts";
import { DataFolderInUseError } from "./supervisor.ts";

const rig = new Rig();
afterEach(() => rig.clear());
afterAll(() => rig.dispose());

const newDataDir = async () => join(await rig.folder(), "data");
const survivors = ["cluster", "postgres.log", "run"];

/** The packaged binaries with an initdb whose shared memory is removed with the folder, as FAST does for a server. */
async function binariesToKill(): Promise<PostgresBinaries> {
  const { bin, release } = await findPackagedPostgres();
  const folder = await rig.diskFolder();
  await symlink(join(bin, "postgres"), join(folder, "postgres"));
  const initdb = `#!/bin/sh\nexec "${join(bin, "initdb")}" "$@" -c dynamic_shared_memory_type=mmap\n`;
  await writeFile(join(folder, "initdb"), initdb, { mode: 0o755 });
  return { bin: folder, release };
}

it.each([0, 60, 150, 250, 350, 450])(
  "starts after a kill %i ms into the first start and removes what it left",
  async (delay) => {
    const dataDir = await newDataDir();
    const product = await rig.product({ dataDir, binaries: await binariesToKill() });
    expect((await product.until("said")).line).toMatch(/^Creating/);
    await pause(delay);
    await product.end("SIGKILL");
    const server = await rig.start({ dataDir });
    expect(await ask(server.connection, "select 1 as n")).toEqual([{ n: 1 }]);
    expect(await namesIn(join(dataDir, "postgres"))).toEqual(survivors);
    await server.stop();
  },
);

it("adopts the server of a killed process with all acknowledged rows", async () => {
  const dataDir = await rig.madeDataDir();
  const product = await rig.product({ dataDir });
  const { connection, clusterDir } = await product.ready();
  await ask(connection, "create table kept as select 1 as n");
  const pid = await serverPid(clusterDir);
  await product.end("SIGKILL");
  const server = await rig.start({ dataDir });
  expect(await serverPid(clusterDir)).toBe(pid);
  // Nothing was restarted or recovered.
  expect(rig.said).toEqual([]);
  expect(await ask(server.connection, "select n from kept")).toEqual([{ n: 1 }]);
  await server.stop();
  await expect(serverPid(clusterDir)).rejects.toThrow(/No server/);
});

it("restarts the server of a killed process when the settings have changed", async () => {
  const dataDir = await rig.madeDataDir();
  const product = await rig.product({ dataDir });
  const { clusterDir } = await product.ready();
  const pid = await serverPid(clusterDir);
  await product.end("SIGKILL");
  const server = await rig.start({ dataDir, settings: { ...FAST, work_mem: "8MB" } });
  expect(await serverPid(clusterDir)).not.toBe(pid);
  expect(await ask(server.connection, "show work_mem")).toEqual([{ work_mem: "8MB" }]);
  expect(await readFile(join(dataDir, "postgres", "postgres.log"), "utf8")).not.toContain("interrupted");
  await server.stop();
});

it("recovers when the process and the server were killed", async () => {
  const dataDir = join(await rig.diskFolder(), "data");
  const product = await rig.product({ dataDir, settings: {} });
  const { connection, clusterDir } = await product.ready();
  await ask(connection, "create table kept as select 1 as n");
  await killHard(await serverPid(clusterDir));
  await product.end("SIGKILL");
  const server = await rig.start({ dataDir, settings: {} });
  expect(await ask(server.connection, "select n from kept")).toEqual([{ n: 1 }]);
  await server.stop();
});

it("recovers while a backend of the killed server still runs", async () => {
  const dataDir = await rig.madeDataDir();
  const product = await rig.product({ dataDir });
  const { connection, clusterDir } = await product.ready();
  const busy = ask(connection, "select count(*) from generate_series(1, 100000000000)").catch(() => "ended");
  const queries = "select 1 from pg_stat_activity where state = 'active' and query like '%generate_series(1, 1%'";
  await expect.poll(() => ask(connection, `${queries} and pid <> pg_backend_pid()`)).toHaveLength(1);
  await killHard(await serverPid(clusterDir));
  await product.end("SIGKILL");
  const server = await rig.start({ dataDir });
  expect(await ask(server.connection, "select 1 as n")).toEqual([{ n: 1 }]);
  expect(await busy).toBe("ended");
  await server.stop();
});

it("ignores lock files whose process id belongs to another program", async () => {
  const dataDir = await rig.madeDataDir();
  const product = await rig.product({ dataDir });
  const { connection, clusterDir } = await product.ready();
  await killHard(await serverPid(clusterDir));
  await product.end("SIGKILL");
  const { uid, gid } = await stat(clusterDir);
  const stranger = spawn("/bin/sleep", ["60"], { uid, gid, cwd: "/" });
  try {
    for (const lock of [join(clusterDir, "postmaster.pid"), join(connection.host, ".s.PGSQL.5432.lock")]) {
      const [, ...rest] = (await readFile(lock, "utf8")).split("\n");
      await writeFile(lock, [stranger.pid, ...rest].join("\n"));
    }
    const server = await rig.start({ dataDir });
    expect(await ask(server.connection, "select 1 as n")).toEqual([{ n: 1 }]);
    await server.stop();
    expect(stranger.exitCode).toBeNull();
    expect(await namesIn(join(dataDir, "postgres"))).toEqual(survivors);
  } finally {
    stranger.kill();
  }
});

it("starts with an empty lock file", async () => {
  const dataDir = await rig.madeDataDir();
  const first = await rig.start({ dataDir });
  await first.stop();
  await appendFile(join(first.clusterDir, "postmaster.pid"), "");
  const second = await rig.start({ dataDir });
  await second.stop();
});

it("stays the owner when PostgreSQL restarts itself after a crash of one connection", async () => {
  const dataDir = await rig.madeDataDir();
  const product = await rig.product({ dataDir });
  const { connection } = await product.ready();
  const [backend] = await ask(connection, "select pid from pg_stat_activity where application_name like '%owner%'");
  const killed = Number(backend!["pid"]);
  signal(killed, "SIGKILL");
  const owners =
    "select 1 from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory' and granted and application_name like '%owner%'";
  const newOwners = (): Promise<unknown[]> => ask(connection, `${owners} and pid <> ${killed}`).catch(() => []);
  await expect.poll(newOwners).toHaveLength(1);
  await expect(rig.start({ dataDir })).rejects.toThrow(DataFolderInUseError);
  expect(await ask(connection, "select 1 as n")).toEqual([{ n: 1 }]);
});
