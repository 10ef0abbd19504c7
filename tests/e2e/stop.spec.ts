import { randomUUID } from "node:crypto";
import { access, appendFile, readFile, writeFile } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "@playwright/test";
import { processesOn, stillRunning, withDescendants } from "../support/processes.ts";
import { freshReceipt } from "../support/sites/course.ts";
import { joinSite } from "../support/sites/members.ts";
import { prepareSite, startSite, type Site } from "../support/sites/site-process.ts";

test.describe.configure({ timeout: 120_000 });

let site: Site;
test.afterEach(async () => site.stop());

const clusterOf = ({ dataDir }: Site): string => join(dataDir, "postgres/cluster");

async function postmasterPid(of: Site): Promise<number> {
  return Number((await readFile(join(clusterOf(of), "postmaster.pid"), "utf8")).split("\n")[0]);
}

/** Has a picture read, by a process that stays for the next one. */
async function startWorker(): Promise<void> {
  const { call } = await joinSite(site, `Student ${randomUUID()}`, true);
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(await freshReceipt())], { type: "image/png" }), "receipt.png");
  await call("POST", "/storage/v1/object/payment-screenshots", form);
  const commands = await stillRunning(await withDescendants(site.pid()));
  expect(commands).toContainEqual(expect.stringContaining("picture-worker"));
}

/** Returns what tells which processes of the site still run: those that run now, its workers too, and any on its folder. */
async function watchProcesses(): Promise<() => Promise<string[]>> {
  const pids = await withDescendants(site.pid());
  return async () => [...(await stillRunning(pids)), ...(await processesOn(site.dataDir))];
}

const statusOf = (path: string): Promise<number> =>
  fetch(`${site.url}${path}`).then(
    (reply) => reply.status,
    () => 0,
  );

test("stops under load with idle connections, and starts again", async () => {
  site = await startSite();
  const sockets: Socket[] = [];
  for (let round = 0; round < 2; round++) {
    for (let count = 0; count < 20; count++) {
      sockets.push(connect(Number(new URL(site.url).port), "localhost").on("error", () => {}));
    }
    const loaded = new AbortController();
    const load = Array.from({ length: 8 }, async () => {
      while (!loaded.signal.aborted) await statusOf("/api/launch-offer");
    });
    await expect.poll(() => statusOf("/healthz")).toBe(200);
    await startWorker();
    const running = await watchProcesses();

    expect(await site.end()).toEqual({ code: 0, signal: null });

    loaded.abort();
    await Promise.all(load);
    await expect.poll(running).toEqual([]);
    await site.start();
  }
  for (const socket of sockets) socket.destroy();
});

test("stops although a query hangs", async () => {
  site = await startSite();
  const lock = new pg.Client({ host: join(site.dataDir, "postgres/run"), user: "pipwright", database: "pipwright" });
  lock.on("error", () => {});
  await lock.connect();
  await lock.query("begin; lock table accounts");
  const hanging = statusOf("/auth/v1/.well-known/jwks.json").then(() =>
    fetch(`${site.url}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "student@example.com", password: "a long password" }),
    }).catch(() => "cut"),
  );
  const waiting = "select 1 from pg_locks where not granted";
  await expect.poll(async () => (await lock.query(waiting)).rowCount).toBeGreaterThan(0);
  const running = await watchProcesses();

  expect(await site.end()).toEqual({ code: 0, signal: null });

  await expect.poll(running).toEqual([]);
  await hanging;
});

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

const pointsOfStart: Record<string, (of: Site) => boolean | Promise<boolean>> = {
  "before anything": () => true,
  "while the database is created": ({ lines }) => lines.some((line) => line.startsWith("Creating the database")),
  "while PostgreSQL starts": (of) => exists(join(clusterOf(of), "postmaster.pid")),
  "while tables are made": (of) => exists(join(of.dataDir, "postgres/run/.s.PGSQL.5432")),
  "before the port is open": ({ dataDir }) => exists(join(dataDir, "secrets.json")),
};

for (const [point, isReached] of Object.entries(pointsOfStart)) {
  test(`leaves no process when stopped in the first start ${point}`, async () => {
    site = await prepareSite({}, "empty");
    site.launch();
    await expect.poll(() => isReached(site), { timeout: 60_000, intervals: [5] }).toBe(true);
    const running = await watchProcesses();

    await site.end();

    await expect.poll(running).toEqual([]);
  });
}

test("is ready again after the embedded PostgreSQL was killed", async () => {
  site = await startSite();
  const pid = await postmasterPid(site);

  process.kill(pid, "SIGKILL");

  await expect.poll(() => postmasterPid(site).catch(() => pid), { timeout: 60_000 }).not.toBe(pid);
  await expect.poll(() => statusOf("/readyz"), { timeout: 60_000 }).toBe(200);
  expect(await statusOf("/healthz")).toBe(200);
});

test("fails with one line when PostgreSQL cannot be kept running", async () => {
  site = await startSite();
  await site.end();
  // What no later start tidies up is removed with the folder instead of staying in /dev/shm.
  await appendFile(join(clusterOf(site), "postgresql.conf"), "\ndynamic_shared_memory_type = mmap\n");
  await site.start();
  await writeFile(join(clusterOf(site), "PG_VERSION"), "9.6\n");

  process.kill(await postmasterPid(site), "SIGKILL");

  await expect.poll(() => site.ending(), { timeout: 60_000 }).toEqual({ code: 1, signal: null });
  expect(site.lines.filter((line) => line.startsWith("PostgreSQL cannot be kept running: "))).toHaveLength(1);
});

test("stops with one line after an error that no code caught", async () => {
  const fault = "process.on('SIGUSR2', () => void Promise.reject(new TypeError('nobody caught this')))";
  site = await startSite({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` });
  await startWorker();
  const running = await watchProcesses();

  process.kill(site.pid(), "SIGUSR2");

  await expect.poll(() => site.ending(), { timeout: 60_000 }).toEqual({ code: 1, signal: null });
  expect(site.lines.filter((line) => line.includes("nobody caught this"))).toEqual([
    expect.stringMatching(/^Stopping after an unexpected error: TypeError: nobody caught this \| at /),
  ]);
  await expect.poll(running).toEqual([]);
});

test("keeps running after a connection was lost that no code watched", async () => {
  const fault = "process.on('SIGUSR2', () => { throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) })";
  site = await startSite({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(fault)}` });

  process.kill(site.pid(), "SIGUSR2");

  await expect.poll(() => site.lines).toContain("Connection lost: read ECONNRESET (ECONNRESET)");
  expect(await statusOf("/readyz")).toBe(200);
});
