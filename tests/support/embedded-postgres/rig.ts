import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { build } from "vite";
import { inject } from "vitest";
import type { SocketConnection } from "#server/platform/db/embedded/server/connect";
import { SUPERUSER } from "#server/platform/db/embedded/cluster/access-files";
import { readPostmasterFile } from "#server/platform/db/embedded/cluster/postmaster-file";
import { isAlive, isPostmasterOf, signal } from "#server/platform/db/embedded/os/processes";
import { findPackagedPostgres } from "#server/platform/db/embedded/binaries/find-binaries";
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from "#server/platform/db/embedded/supervisor";
import { openToAccounts } from "../sites/open-to-accounts.ts";
import { memoryBase } from "../../../scripts/memory-base.mjs";

/** Settings for tests that do not simulate a power loss: PostgreSQL does not wait for the disk. */
export const FAST = {
  fsync: "off",
  full_page_writes: "off",
  // The shared memory of a killed server is removed with its folder instead of staying in /dev/shm.
  dynamic_shared_memory_type: "mmap",
};

export const AS_ROOT = process.getuid?.() === 0;

/** The account `nobody`, the ordinary user of tests that run as root. */
export const NOBODY = { uid: 65534, gid: 65534 };

const FOR_DATA = memoryBase(1024 ** 3) ?? tmpdir();

/** An event that a child process reports. */
export interface Report {
  event: "begun" | "said" | "ready" | "failed" | "ended";
  line?: string;
  name?: string;
  message?: string;
  connection: SocketConnection;
  clusterDir: string;
}

type Options = Partial<EmbeddedPostgresOptions> & { dataDir: string };
/** `packageDir`: uses the binaries of this copy of the npm package. */
type ProductOptions = Options & { packageDir?: string };

/** Folders, child processes and servers of one test file; `clear` removes and ends them. */
export class Rig {
  #folders: string[] = [];
  #children: ChildProcess[] = [];
  #clusters = new Set<string>();
  #bundle = "";
  said: string[] = [];

  /** Returns a new folder for data that every account may enter: in memory if there is room, which is ten times faster. */
  async folder(): Promise<string> {
    return this.#newFolder(FOR_DATA);
  }

  /** Returns a new folder on disk that every account may enter. Programs can run from there; /dev/shm is often mounted noexec. */
  async diskFolder(): Promise<string> {
    return this.#newFolder(tmpdir());
  }

  /** Returns a new data folder with a stopped database (`setup/made-database.ts`), for tests that are not about a first start. */
  async madeDataDir(): Promise<string> {
    const dataDir = join(await this.folder(), "data");
    const made = inject("madeDatabase");
    // By the system's own: the database belongs to another account when root runs this, and node's copy loses that.
    if (made !== undefined) await promisify(execFile)("cp", ["-a", made, dataDir]);
    return dataDir;
  }

  /** Starts the database in this process. */
  async start(options: Options): Promise<EmbeddedPostgres> {
    const server = await startEmbeddedPostgres({ settings: FAST, say: (line) => this.said.push(line), ...options });
    this.#remember(server.clusterDir, server.connection);
    return server;
  }

  /** Starts the database in a child process, which can be killed. */
  async product(options: ProductOptions, as: { uid?: number; gid?: number } = {}): Promise<Product> {
    this.#bundle ||= await this.#build();
    const packageDir = join((await findPackagedPostgres()).portableRoot!, "..");
    const text = JSON.stringify({ settings: FAST, ...(options.binaries ? {} : { packageDir }), ...options });
    const child = spawn(process.execPath, [this.#bundle, text], { ...as, cwd: "/", stdio: ["ignore", "pipe", "inherit"] });
    this.#children.push(child);
    this.#clusters.add(join(options.dataDir, "postgres", "cluster"));
    return new Product(child, (found) => found.event === "ready" && this.#remember(found.clusterDir, found.connection));
  }

  async clear(): Promise<void> {
    for (const child of this.#children.splice(0)) child.kill("SIGKILL");
    for (const cluster of this.#clusters) await endServer(cluster);
    for (const folder of [...this.#folders.splice(0), ...this.#clusters]) await removeFolder(folder);
    this.#clusters.clear();
    this.said = [];
  }

  /** Clears and removes the bundle; for `afterAll`. */
  async dispose(): Promise<void> {
    await this.clear();
    if (this.#bundle) await removeFolder(dirname(this.#bundle));
  }

  #remember(clusterDir: string, { host }: SocketConnection): void {
    this.#clusters.add(clusterDir);
    if (!this.#folders.some((folder) => host.startsWith(folder))) this.#folders.push(host);
  }

  async #newFolder(base: string): Promise<string> {
    const path = await newFolder(base);
    this.#folders.push(path);
    return path;
  }

  async #build(): Promise<string> {
    const outDir = await newFolder(tmpdir());
    const entry = join(import.meta.dirname, "product.ts");
    const output = { entryFileNames: "product.mjs" };
    await build({
      root: import.meta.dirname,
      configFile: false,
      logLevel: "error",
      ssr: { noExternal: true },
      build: { ssr: entry, outDir, emptyOutDir: false, minify: false, rolldownOptions: { output } },
    });
    return join(outDir, "product.mjs");
  }
}

/** A child process that runs the database. */
export class Product {
  #child: ChildProcess;
  #reports: Report[] = [];
  #changed: (() => void)[] = [];

  constructor(child: ChildProcess, onReport: (report: Report) => unknown) {
    this.#child = child;
    const add = (report: Report) => {
      onReport(report);
      this.#reports.push(report);
      for (const wake of this.#changed.splice(0)) wake();
    };
    createInterface({ input: child.stdout! }).on("line", (line) => add(JSON.parse(line) as Report));
    child.once("close", () => add({ event: "ended" } as Report));
  }

  get said(): string[] {
    return this.#reports.flatMap(({ line }) => line ?? []);
  }

  /** Waits for one of some events, or for the end of the process. */
  async until(...events: Report["event"][]): Promise<Report> {
    for (;;) {
      const report = this.#reports.find(({ event }) => event === "ended" || events.includes(event));
      if (report) return report;
      await new Promise<void>((resolve) => this.#changed.push(resolve));
    }
  }

  async ready(): Promise<Report> {
    const report = await this.until("ready", "failed");
    if (report.event !== "ready") throw new Error(`The product ${report.event}: ${report.message}`);
    return report;
  }

  /** Returns how the start ended: ready or failed. */
  async outcome(): Promise<Report> {
    return this.until("ready", "failed");
  }

  async end(how: NodeJS.Signals): Promise<void> {
    this.#child.kill(how);
    await this.until("ended");
  }
}

/** Returns a connection as the cluster's superuser, which the product does not use. */
export const asSuperuser = (connection: SocketConnection): SocketConnection => ({ ...connection, user: SUPERUSER });

/** Runs one query on a new connection and returns its rows. */
export async function ask(connection: pg.ClientConfig, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Returns the process id of a cluster's server; throws when none runs. */
export async function serverPid(clusterDir: string): Promise<number> {
  const pid = (await readPostmasterFile(clusterDir))?.pid ?? 0;
  if (!(await isPostmasterOf(pid, clusterDir))) throw new Error(`No server runs on ${clusterDir}`);
  return pid;
}

/** Kills a process and waits until it has ended. */
export async function killHard(pid: number): Promise<void> {
  signal(pid, "SIGKILL");
  while (isAlive(pid)) await pause(10);
}

/** Returns the sorted names in a folder. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).toSorted();
}

async function newFolder(base: string): Promise<string> {
  return openToAccounts(await realpath(await mkdtemp(join(base, "pipwright-embedded-"))));
}

async function endServer(clusterDir: string): Promise<void> {
  const pid = (await readPostmasterFile(clusterDir).catch(() => undefined))?.pid;
  if (!pid || !(await isPostmasterOf(pid, clusterDir))) return;
  signal(pid, "SIGQUIT");
  while (isAlive(pid)) await pause(10);
}

async function removeFolder(path: string): Promise<void> {
  // The initdb of a killed start may still be writing.
  await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
