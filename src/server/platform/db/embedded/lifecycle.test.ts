import { chown, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import {
  AS_ROOT,
  ask,
  asSuperuser,
  FAST,
  killHard,
  namesIn,
  Rig,
  serverPid,
} from "../../../../../tests/support/embedded-postgres/rig.ts";
import { isAlive } from "./os/processes.ts";
import { findPackagedPostgres, findSystemPostgres } from "./binaries/find-binaries.ts";
import { DatabaseStartError } from "./supervisor.ts";

const rig = new Rig();
afterEach(() => rig.clear());
afterAll(() => rig.dispose());

const packaged = await findPackagedPostgres();
const system = await findSystemPostgres();
const kinds = [
  ["the packaged PostgreSQL", packaged],
  ["the system's PostgreSQL", system],
] as const;

describe.each(kinds)("%s", (_name, binaries) => {
  it.runIf(binaries)("makes a database once and starts again with its rows", async () => {
    const dataDir = join(await rig.folder(), "data");
    const first = await rig.start({ dataDir, binaries: binaries! });
    expect(await ask(first.connection, "show server_encoding")).toEqual([{ server_encoding: "UTF8" }]);
    expect(await ask(first.connection, "show data_checksums")).toEqual([{ data_checksums: "on" }]);
    expect(await ask(first.connection, "select lower('ÄÉ') as low, current_user::text as me")).toEqual([
      { low: "äé", me: "pipwright_site" },
    ]);
    await ask(first.connection, "create table kept as select 1 as n");
    const pid = await serverPid(first.clusterDir);
    await first.stop();
    await expect(serverPid(first.clusterDir)).rejects.toThrow(/No server/);
    expect(isAlive(pid)).toBe(false);
    const written = await stat(join(first.clusterDir, "PG_VERSION"));

    const second = await rig.start({ dataDir, binaries: binaries! });
    expect(await stat(join(second.clusterDir, "PG_VERSION"))).toMatchObject({ ino: written.ino, mtimeMs: written.mtimeMs });
    expect(rig.said.filter((line) => line.startsWith("Creating the database"))).toHaveLength(1);
    expect(await ask(second.connection, "select n from kept")).toEqual([{ n: 1 }]);
    await second.stop();
  });

  it.runIf(binaries)("works below a path with spaces, quotes and non-ASCII letters", async () => {
    const dataDir = join(await rig.folder(), `it's a "data", $HOME`, "ünïcode 数据");
    const server = await rig.start({ dataDir, binaries: binaries! });
    expect(server.connection.host).toBe(join(dataDir, "postgres", "run"));
    expect(await ask(server.connection, "select 1 as n")).toEqual([{ n: 1 }]);
    await server.stop();
    const again = await rig.start({ dataDir, binaries: binaries! });
    await again.stop();
  });
});

it("listens on a private socket only and keeps no password", async () => {
  const { connection, clusterDir, stop } = await rig.start({ dataDir: join(await rig.folder(), "data") });
  expect(await ask(connection, "show listen_addresses")).toEqual([{ listen_addresses: "" }]);
  expect((await stat(connection.host)).mode & 0o777).toBe(0o700);
  expect((await stat(clusterDir)).mode & 0o777).toBe(0o700);
  const hba = await readFile(join(clusterDir, "pg_hba.conf"), "utf8");
  const rules = hba.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect(rules.every((rule) => /^local .* peer map=pipwright$/.test(rule))).toBe(true);
  expect(await ask(asSuperuser(connection), "select count(*)::int as n from pg_authid where rolpassword is not null")).toEqual([
    { n: 0 },
  ]);
  expect(await namesIn(join(clusterDir, ".."))).toEqual(["cluster", "postgres.log", "run"]);
  await stop();
});

it("uses durable settings by default", async () => {
  const { connection, stop } = await rig.start({ dataDir: join(await rig.diskFolder(), "data"), settings: {} });
  expect(await ask(connection, "select current_setting('fsync') || current_setting('synchronous_commit') as s")).toEqual([
    { s: "onon" },
  ]);
  await stop();
});

it("uses a short socket folder where the path would be too long", async () => {
  const dataDir = join(await rig.folder(), "long-".repeat(30), "data");
  const server = await rig.start({ dataDir });
  expect(server.clusterDir.startsWith(dataDir)).toBe(true);
  expect(server.connection.host.length).toBeLessThan(60);
  expect((await stat(server.connection.host)).mode & 0o777).toBe(0o700);
  expect(await ask(server.connection, "select 1 as n")).toEqual([{ n: 1 }]);
  await server.stop();
  const again = await rig.start({ dataDir });
  expect(again.connection.host).toBe(server.connection.host);
  await again.stop();
});

it.runIf(AS_ROOT)("refuses a short socket folder of another user (needs root)", async () => {
  const dataDir = join(await rig.folder(), "long-".repeat(30));
  const name = createHash("sha256")
    .update(join(dataDir, "postgres", "cluster"))
    .digest("hex")
    .slice(0, 12);
  const folder = join("/tmp", `pipwright-${name}`);
  await mkdir(folder);
  await chown(folder, 12_345, 12_345);
  try {
    await expect(rig.start({ dataDir })).rejects.toThrow(/^The socket folder .* belongs to someone else/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it("runs in its own process group, which the terminal's signals do not reach", async () => {
  const { clusterDir, stop } = await rig.start({ dataDir: await rig.madeDataDir() });
  const pid = await serverPid(clusterDir);
  const fields = (await readFile(`/proc/${pid}/stat`, "latin1")).split(") ")[1]!.split(" ");
  expect(Number(fields[2])).toBe(pid);
  await stop();
});

it("stops twice, and after the server has died", async () => {
  const dataDir = await rig.madeDataDir();
  const first = await rig.start({ dataDir });
  await Promise.all([first.stop(), first.stop()]);
  const second = await rig.start({ dataDir });
  await killHard(await serverPid(second.clusterDir));
  await second.stop();
});

it("begins a new log when the old one is over 5 MB", async () => {
  const dataDir = await rig.madeDataDir();
  await (await rig.start({ dataDir })).stop();
  const log = join(dataDir, "postgres", "postgres.log");
  await truncate(log, 6 * 1024 * 1024);
  await (await rig.start({ dataDir })).stop();
  expect((await stat(log)).size).toBeLessThan(100_000);
  expect((await stat(`${log}.1`)).size).toBe(6 * 1024 * 1024);
});

it.runIf(system)("refuses another major version's database unchanged (system's PostgreSQL)", async () => {
  const dataDir = join(await rig.folder(), "data");
  const old = await rig.start({ dataDir, binaries: system! });
  await old.stop();
  const before = await readdir(old.clusterDir);
  const failure = await rig.start({ dataDir, binaries: packaged }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DatabaseStartError);
  expect((failure as Error).message).toMatch(/was made by PostgreSQL \d+; this is 18\. Nothing was changed: /);
  expect(await readdir(old.clusterDir)).toEqual(before);
});

it("refuses a folder without a database in one line", async () => {
  const dataDir = await rig.folder();
  await mkdir(join(dataDir, "postgres", "cluster"), { recursive: true });
  await writeFile(join(dataDir, "postgres", "cluster", "notes.txt"), "mine");
  await expect(rig.start({ dataDir })).rejects.toThrow(/is no PostgreSQL database: move it away$/);
});

it("reports PostgreSQL's own reason when it does not start", async () => {
  const dataDir = await rig.madeDataDir();
  const failure = await rig.start({ dataDir, settings: { ...FAST, shared_buffers: "many" } }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DatabaseStartError);
  expect((failure as Error).message).toMatch(/^PostgreSQL did not start: .*shared_buffers.*"many".* \(log: .*\)$/);
});
