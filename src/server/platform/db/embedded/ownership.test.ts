import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, expect, it } from "vitest";
import { ask, asSuperuser, namesIn, Rig, serverPid } from "../../../../../tests/support/embedded-postgres/rig.ts";
import { acquireDataFolderLock } from "./server/data-folder-lock.ts";
import { DataFolderInUseError } from "./supervisor.ts";

const rig = new Rig();
afterEach(() => rig.clear());
afterAll(() => rig.dispose());

const newDataDir = async () => join(await rig.folder(), "data");

it("refuses a second start with the owner's process id and changes nothing", async () => {
  const dataDir = await rig.madeDataDir();
  const product = await rig.product({ dataDir });
  const { connection, clusterDir } = await product.ready();
  const home = join(dataDir, "postgres");
  const state = async () => ({
    pid: await serverPid(clusterDir),
    names: await namesIn(home),
    cluster: await namesIn(clusterDir),
    log: await readFile(join(home, "postgres.log"), "utf8"),
    hba: (await stat(join(clusterDir, "pg_hba.conf"))).mtimeMs,
  });
  const before = await state();
  const failure = await rig.start({ dataDir }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DataFolderInUseError);
  expect((failure as Error).message).toMatch(/^Already running on this data folder: .*\/data \(process \d+\)$/);
  expect(await state()).toEqual(before);
  expect(await ask(connection, "select 1 as n")).toEqual([{ n: 1 }]);
  expect(rig.said).toEqual([]);
});

it("waits a limited time for a dead owner's connection to close", async () => {
  const dataDir = await rig.madeDataDir();
  const product = await rig.product({ dataDir });
  const { connection } = await product.ready();
  const ghost = new pg.Client({
    ...asSuperuser(connection),
    database: "postgres",
    application_name: "pipwright owner 999999999",
  });
  await ghost.connect();
  await product.end("SIGKILL");
  expect(await acquireDataFolderLock(ghost)).toBeUndefined();
  await expect(rig.start({ dataDir })).rejects.toThrow(/^Already running .* \(process 999999999\)$/);
  const start = rig.start({ dataDir });
  await pause(700);
  await ghost.end();
  await (await start).stop();
});

it("refuses a second start within one process", async () => {
  const dataDir = await rig.madeDataDir();
  const server = await rig.start({ dataDir });
  await expect(rig.start({ dataDir })).rejects.toThrow(DataFolderInUseError);
  await server.stop();
  const next = await rig.start({ dataDir });
  await next.stop();
});

it.each(["an empty folder", "a stopped database", "an empty folder again"])(
  "lets one of three simultaneous starts win on %s",
  async (on) => {
    const dataDir = await newDataDir();
    if (on === "a stopped database") await (await rig.start({ dataDir })).stop();
    const products = await Promise.all([1, 2, 3].map(() => rig.product({ dataDir })));
    const outcomes = await Promise.all(products.map((product) => product.outcome()));
    const winners = outcomes.filter(({ event }) => event === "ready");
    expect(winners.length, JSON.stringify(outcomes)).toBe(1);
    const losers = outcomes.filter(({ event }) => event !== "ready");
    expect(losers.map(({ name }) => name)).toEqual(["DataFolderInUseError", "DataFolderInUseError"]);
    expect(await ask(winners[0]!.connection, "select 1 as n")).toEqual([{ n: 1 }]);
    expect(await namesIn(join(dataDir, "postgres"))).toEqual(["cluster", "postgres.log", "run"]);
  },
);

it("starts cleanly while another process stops", async () => {
  const dataDir = await rig.madeDataDir();
  let running = await rig.product({ dataDir });
  await running.ready();
  for (let round = 0; round < 4; round++) {
    const ending = running.end("SIGTERM");
    const next = await rig.product({ dataDir });
    const { event, name, connection } = await next.outcome();
    await ending;
    if (event === "ready") expect(await ask(connection, "select 1 as n")).toEqual([{ n: 1 }]);
    else expect(name).toBe("DataFolderInUseError");
    running = event === "ready" ? next : await rig.product({ dataDir });
    await running.ready();
  }
  await running.end("SIGTERM");
});
