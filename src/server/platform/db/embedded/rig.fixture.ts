import { spawn, type ChildProcess } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, realpath, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { build } from "vite";
import type { SocketConnection } from "./knock.ts";
import { readPostmasterFile } from "./postmaster-file.ts";
import { isAlive, isPostmasterOf, signal } from "./processes.ts";
import {
  findPackagedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from "./supervisor.ts";

/** Everything but the subject of power loss may run without waiting for the disk. */
export const FAST = {
  fsync: "off",
  full_page_writes: "off",
  // Shared memory of a killed server then goes with its folder instead of staying in /dev/shm.
  dynamic_shared_memory_type: "mmap",
};

export const AS_ROOT = process.getuid?.() === 0;

/** The account `nobody`, which stands for an ordinary user when the tests run as root. */
export const NOBODY = { uid: 65534, gid: 65534 };

const FOR_DATA = await baseForData();

/** What a child process told. */
export interface Told {
  event: "begun" | "said" | "ready" | "failed" | "ended";
  line?: string;
  name?: string;
  message?: string;
  connection: SocketConnection;
  clusterDir: string;
}

type Options = Partial<EmbeddedPostgresOptions> & { dataDir: string };
/** `packageDir`: take the binaries of this copy of the npm package. */
type ProductOptions = Options & { packageDir?: string };

/** Folders, child processes and servers of one test file; `clear` leaves none of them. */
export class Rig {
  #folders: string[] = [];
  #children: ChildProcess[] = [];
  #clusters = new Set<string>();
  #bundle = "";
  said: string[] = [];

  /** A new folder that every account may enter, for data: in memory where there is room, as it is ten times faster. */
  async folder(): Promise<string> {
    return this.#newFolder(FOR_DATA);
  }

  /** A new folder on disk that every account may enter: programs run from there, which memory often refuses. */
  async diskFolder(): Promise<string> {
    return this.#newFolder(tmpdir());
  }

  /** Starts in this process. */
  async start(options: Options): Promise<EmbeddedPostgres> {
    const server = await startEmbeddedPostgres({ settings: FAST, say: (line) => this.said.push(line), ...options });
    this.#remember(server.clusterDir, server.connection);
    return server;
  }

  /** Starts in a child process, which can be killed. */
  async product(options: ProductOptions, as: { uid?: number; gid?: number } = {}): Promise<Product> {
    this.#bundle ||= await this.#build();
    const packageDir = join((await findPackagedPostgres()).portableRoot!, "..");
    const text = JSON.stringify({ settings: FAST, ...(options.binaries ? {} : { packageDir }), ...options });
    const child = spawn(process.execPath, [this.#bundle, text], { ...as, cwd: "/", stdio: ["ignore", "pipe", "inherit"] });
    this.#children.push(child);
    this.#clusters.add(join(options.dataDir, "postgres", "cluster"));
    return new Product(child, (told) => told.event === "ready" && this.#remember(told.clusterDir, told.connection));
  }

  async clear(): Promise<void> {
    for (const child of this.#children.splice(0)) child.kill("SIGKILL");
    for (const cluster of this.#clusters) await endServer(cluster);
    for (const folder of [...this.#folders.splice(0), ...this.#clusters]) await removeFolder(folder);
    this.#clusters.clear();
    this.said = [];
  }

  /** For the end of the file. */
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
    const entry = join(import.meta.dirname, "product.fixture.ts");
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
  #told: Told[] = [];
  #changed: (() => void)[] = [];

  constructor(child: ChildProcess, hear: (told: Told) => unknown) {
    this.#child = child;
    const add = (told: Told) => {
      hear(told);
      this.#told.push(told);
      for (const wake of this.#changed.splice(0)) wake();
    };
    createInterface({ input: child.stdout! }).on("line", (line) => add(JSON.parse(line) as Told));
    child.once("close", () => add({ event: "ended" } as Told));
  }

  get said(): string[] {
    return this.#told.flatMap(({ line }) => line ?? []);
  }

  /** Waits for one of some events; the end of the process ends every wait. */
  async until(...events: Told["event"][]): Promise<Told> {
    for (;;) {
      const found = this.#told.find(({ event }) => event === "ended" || events.includes(event));
      if (found) return found;
      await new Promise<void>((resolve) => this.#changed.push(resolve));
    }
  }

  async ready(): Promise<Told> {
    const told = await this.until("ready", "failed");
    if (told.event !== "ready") throw new Error(`The product ${told.event}: ${told.message}`);
    return told;
  }

  /** How the start ended: ready or failed. */
  async outcome(): Promise<Told> {
    return this.until("ready", "failed");
  }

  async end(how: NodeJS.Signals): Promise<void> {
    this.#child.kill(how);
    await this.until("ended");
  }
}

/** Runs one query on a connection of its own. */
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

/** The process id of a cluster's server. */
export async function serverPid(clusterDir: string): Promise<number> {
  const pid = (await readPostmasterFile(clusterDir))?.pid ?? 0;
  if (!(await isPostmasterOf(pid, clusterDir))) throw new Error(`No server runs on ${clusterDir}`);
  return pid;
}

/** Kills without a chance to tidy up, and waits until it is gone. */
export async function killHard(pid: number): Promise<void> {
  signal(pid, "SIGKILL");
  while (isAlive(pid)) await pause(10);
}

/** The running processes whose command line mentions a path (Linux); one that ended and is not reaped yet has none. */
export async function processesOn(path: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "")));
  return lines.filter((line) => line.includes(path));
}

/** What stands in the folder around a cluster. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).toSorted();
}

async function newFolder(base: string): Promise<string> {
  const path = await realpath(await mkdtemp(join(base, "pipwright-embedded-")));
  await chmod(path, 0o755);
  return path;
}

async function baseForData(): Promise<string> {
  const memory = await statfs("/dev/shm").catch(() => undefined);
  return memory && memory.bavail * memory.bsize > 1024 ** 3 ? "/dev/shm" : tmpdir();
}

async function endServer(clusterDir: string): Promise<void> {
  const pid = (await readPostmasterFile(clusterDir).catch(() => undefined))?.pid;
  if (!pid || !(await isPostmasterOf(pid, clusterDir))) return;
  signal(pid, "SIGQUIT");
  while (isAlive(pid)) await pause(10);
}

async function removeFolder(path: string): Promise<void> {
  // Of a start that was killed, initdb may still be writing.
  await rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
