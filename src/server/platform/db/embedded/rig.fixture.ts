import { spawn, type ChildProcess } from "node:child_process";
import { chmod, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { build } from "vite";
import type { SocketConnection } from "./knock.ts";
import { readPostmasterFile } from "./postmaster-file.ts";
import { isAlive, isPostmasterOf, signal } from "./processes.ts";
import { startEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from "./supervisor.ts";

/** Everything but the subject of power loss may run without waiting for the disk. */
export const FAST = { fsync: "off", full_page_writes: "off" };

export const AS_ROOT = process.getuid?.() === 0;

/** The account `nobody`, which stands for an ordinary user when the tests run as root. */
export const NOBODY = { uid: 65534, gid: 65534 };

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

/** Folders, child processes and servers of one test file; `clear` leaves none of them. */
export class Rig {
  #folders: string[] = [];
  #children: ChildProcess[] = [];
  #clusters = new Set<string>();
  #bundle = "";
  said: string[] = [];

  /** A new folder that every account may enter. */
  async folder(): Promise<string> {
    const path = await realpath(await mkdtemp(join(tmpdir(), "pipwright-embedded-")));
    await chmod(path, 0o755);
    this.#folders.push(path);
    return path;
  }

  /** Starts in this process. */
  async start(options: Options): Promise<EmbeddedPostgres> {
    const server = await startEmbeddedPostgres({ settings: FAST, say: (line) => this.said.push(line), ...options });
    this.#remember(server.clusterDir, server.connection);
    return server;
  }

  /** Starts in a child process, which can be killed. */
  async product(options: Options, as: { uid?: number; gid?: number } = {}): Promise<Product> {
    this.#bundle ||= await this.#build();
    const text = JSON.stringify({ settings: FAST, ...options });
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
    this.#bundle = "";
    this.said = [];
  }

  #remember(clusterDir: string, { host }: SocketConnection): void {
    this.#clusters.add(clusterDir);
    if (!this.#folders.some((folder) => host.startsWith(folder))) this.#folders.push(host);
  }

  async #build(): Promise<string> {
    const outDir = await this.folder();
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
    return await this.until("ready", "failed");
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

/** What stands in the folder around a cluster. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).toSorted();
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
