import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openToAccounts } from "../../support/sites/open-to-accounts.ts";
import { startSite, type Site } from "../../support/sites/site-process.ts";
import { startTcpProxy, type TcpProxy } from "../../support/network/tcp-proxy.ts";
import { asker, isSoon, newJournal, pause, type Ask, type Journal } from "../client.ts";
import { startOwnPostgres, type OwnPostgres } from "../postgres.ts";
import { look } from "../probe.ts";
import { canMount, mountSmallDisk, type SmallDisk } from "../small-disk.ts";
import { openS3Store } from "#server/platform/storage/s3/s3-store";
import { startServices, type Services } from "./services.ts";

/** One of the site's processes, behind a line of its own. */
export interface Part {
  site: Site;
  line: TcpProxy;
  /** The address that leads through the line. */
  url: string;
  /** Held still by SIGSTOP. */
  isFrozen: boolean;
}

/** Two processes of the built site on one database, with all that they ask of others. */
export interface World {
  folder: string;
  dataDir: string;
  postgres: OwnPostgres;
  services: Services;
  parts: Part[];
  /** Undefined where no disk can be mounted. */
  disk: SmallDisk | undefined;
  journal: Journal;
  /** Asks one of the two processes, whichever is its turn. */
  ask: Ask;
  /** The admin's access token of now. */
  admin: { token: string };
  /** The bytes of a stored file, past the site. */
  storedBytes(id: string): Promise<Buffer | undefined>;
  /** Every line that the processes have logged. */
  lines(): string[];
  /** Sets the clock of both processes so many seconds ahead, while they run. */
  setClock(aheadSeconds: number): Promise<void>;
  /** Ends both processes and starts them so many seconds later, so that leases and waits are over. */
  restartLater(aheadSeconds: number): Promise<void>;
  /** Waits until PostgreSQL answers; starts it where a service manager would. */
  reviveDatabase(): Promise<void>;
  /** Whether every process is ready, within the time in milliseconds. */
  isReady(withinMs: number): Promise<boolean>;
  close(): Promise<void>;
}

const clockModule = pathToFileURL(join(import.meta.dirname, "../../support/sites/moved-clock.mjs")).href;

/** Milliseconds before a process that ended is started again, as a service manager does. */
const restartMs = 500;

/** Starts them all, or leaves nothing behind. */
export async function startWorld(wantsStore: boolean): Promise<World> {
  const ends: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0).toReversed()) await end();
  };
  try {
    return { ...(await startParts(wantsStore, ends)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Adds to `ends` what undoes each step, as soon as it is done. */
async function startParts(wantsStore: boolean, ends: (() => Promise<unknown>)[]): Promise<Omit<World, "close">> {
  const disk = canMount() ? await mountSmallDisk(1500) : undefined;
  const folder = await openToAccounts(disk?.folder ?? (await mkdtemp(join(tmpdir(), "pipwright-torture-"))));
  ends.push(() => (disk ? disk.remove() : rm(folder, { recursive: true, force: true })));
  const dataDir = join(folder, "data");
  await mkdir(dataDir);
  const clockFile = join(folder, "clock");
  await writeFile(clockFile, "0");
  const postgres = await startOwnPostgres(folder, {
    max_wal_size: "128MB",
    // The shared memory of a killed server is removed with its folder instead of staying in /dev/shm.
    dynamic_shared_memory_type: "mmap",
  });
  ends.push(postgres.remove);
  const services = await startServices(wantsStore);
  ends.push(services.close);
  const environment = {
    ...services.environment,
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    NODE_OPTIONS: `--import=${clockModule}`,
    CLOCK_FILE: clockFile,
  };
  const parts: Part[] = [];
  for (let count = 0; count < 2; count += 1) {
    const part = await startPart(environment);
    parts.push(part);
    ends.push(() => endPart(part));
  }
  const over = new AbortController();
  const service = { isManaged: true };
  const manager = keepRunning(parts, service, over.signal);
  ends.push(async () => {
    over.abort();
    await manager;
  });
  const journal = newJournal();
  let turn = 0;
  const world: Omit<World, "close"> = {
    folder,
    dataDir,
    postgres,
    services,
    parts,
    disk,
    journal,
    ask: asker(() => parts[turn++ % parts.length]!.url, journal),
    admin: { token: "" },
    storedBytes: (id) => bytesOf(services, dataDir, id),
    lines: () => parts.flatMap(({ site }) => site.lines),
    setClock: (aheadSeconds) => writeFile(clockFile, String(aheadSeconds)),
    async restartLater(aheadSeconds) {
      service.isManaged = false;
      await Promise.all(parts.map(({ site }) => site.end()));
      await world.setClock(aheadSeconds);
      for (const { site } of parts) site.launch();
      service.isManaged = true;
    },
    async reviveDatabase() {
      const answers = (): Promise<boolean> =>
        postgres.sql("select 1").then(
          () => true,
          () => false,
        );
      if (await isSoon(answers, 3000)) return;
      await postgres.stop();
      await postgres.start();
    },
    isReady: (withinMs) =>
      isSoon(async () => (await Promise.all(parts.map(({ site }) => look(`${site.url}/readyz`)))).every(isOk), withinMs),
  };
  return world;
}

async function bytesOf({ store }: Services, dataDir: string, id: string): Promise<Buffer | undefined> {
  if (!store) return readFile(join(dataDir, "objects", id)).catch(() => undefined);
  const objects = openS3Store(store.server.settings, join(dataDir, "compared"));
  const bytes = await objects.open(id);
  if (!bytes) return undefined;
  const pieces: Buffer[] = [];
  for await (const piece of bytes.pieces(0, bytes.size - 1)) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

const isOk = ({ status }: { status: number }): boolean => status === 200;

async function startPart(environment: Record<string, string>): Promise<Part> {
  const site = await startSite(environment);
  // `localhost` may be ::1 alone.
  const line = await startTcpProxy({ host: "localhost", port: Number(new URL(site.url).port) });
  return { site, line, url: `http://127.0.0.1:${line.port}`, isFrozen: false };
}

async function endPart({ site, line }: Part): Promise<void> {
  try {
    process.kill(site.pid(), "SIGCONT");
  } catch {
    // It ended in between.
  }
  await site.end();
  await line.close();
}

/** Starts each process again that has ended, until it is over. */
async function keepRunning(parts: Part[], service: { isManaged: boolean }, over: AbortSignal): Promise<void> {
  const keep = async ({ site }: Part): Promise<void> => {
    while (!over.aborted) {
      await pause(50);
      if (!service.isManaged || !site.ending()) continue;
      await pause(restartMs);
      if (service.isManaged && !over.aborted && site.ending()) site.launch();
    }
  };
  await Promise.all(parts.map(keep));
}
