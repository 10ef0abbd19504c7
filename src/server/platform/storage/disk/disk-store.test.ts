import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ProductError } from "#domain/errors/messages";
import { testClock } from "../../../../../tests/support/app.ts";
import { testObjectStore } from "../object-store.suite.ts";
import type { ObjectStore } from "../object-store.ts";
import { diskReserve } from "./disk-space.ts";
import { openDiskStore } from "./disk-store.ts";
import { isMountPoint } from "./mount.ts";

const total = 1000 * 1024 ** 3;

async function newFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "pipwright-store-"));
}

describe("the disk as object store", () => {
  testObjectStore(async () => {
    const dataDir = await newFolder();
    const clock = testClock();
    let room = Number.MAX_SAFE_INTEGER;
    const readDisk = async () => ({ free: room + diskReserve(total), total });
    return {
      store: await openDiskStore(dataDir, clock, readDisk),
      reopen: () => openDiskStore(dataDir, clock, readDisk),
      reopenHeld: () => openDiskStore(dataDir, clock, readDisk, () => Promise.resolve(true)),
      limitRoom(bytes) {
        room = bytes;
        // A reading of the disk is used for a second.
        clock.advance(2);
      },
      close: () => rm(dataDir, { recursive: true }),
    };
  });
});

// FILE-8, RUN-2
it("uploads need room on the disk of the objects, while every disk has its reserve", async () => {
  const dataDir = await newFolder();
  const clock = testClock();
  const [objects, roomy, full] = [join(dataDir, "objects"), 9, 0];
  let room: Record<string, number> = {};
  const read = async (path: string) => ({ free: (room[path] ?? roomy) + diskReserve(total), total });
  const store = await openDiskStore(dataDir, clock, read);
  const disk = async (rooms: Record<string, number>): Promise<unknown> => {
    room = rooms;
    clock.advance(2);
    const isTaken = await store.checkSpace(roomy).then(
      () => true,
      ({ code }: ProductError) => code,
    );
    return [isTaken, await store.readiness.find(({ name }) => name === "disk")!.check()];
  };
  expect(await disk({})).toEqual([true, undefined]);
  expect(await disk({ [objects]: full })).toEqual(["insufficient_storage", "at_reserve"]);
  expect(await disk({ [dataDir]: full })).toEqual([true, "at_reserve"]);
  await rm(dataDir, { recursive: true });
});

// RUN-2
it("a store whose folder is gone says nothing of its disk", async () => {
  const dataDir = await newFolder();
  const store = await openDiskStore(dataDir, testClock());
  await rm(join(dataDir, "objects"), { recursive: true });
  expect(await Promise.all(store.readiness.map(async ({ name, check }) => [name, await check()]))).toEqual([
    ["storage", "missing"],
    ["disk", undefined],
  ]);
  await rm(dataDir, { recursive: true });
});

describe("the folder of the disk's store", () => {
  let dataDir: string;
  let store: ObjectStore;
  beforeAll(async () => {
    dataDir = await newFolder();
    store = await openDiskStore(dataDir, testClock());
  });
  afterAll(() => rm(dataDir, { recursive: true }));

  const folder = (): string => join(dataDir, "objects");
  const fileOf = (id: string): string => join(folder(), id);
  const faults = (): Promise<(string | undefined)[]> =>
    Promise.all(store.readiness.filter(({ name }) => name === "storage").map(({ check }) => check()));

  it("is closed to other accounts, and its objects to every writer", async () => {
    const id = randomUUID();
    await store.put(id, Buffer.from("bytes"));
    expect([(await stat(folder())).mode & 0o777, (await stat(fileOf(id))).mode & 0o777]).toEqual([0o700, 0o400]);
  });

  it("is reported as missing when it is gone, or when a file has its name", async () => {
    await rename(folder(), `${folder()}.away`);
    expect(await faults()).toEqual(["missing"]);
    await writeFile(folder(), "");
    expect(await faults()).toEqual(["missing"]);
    await rm(folder());
    await rename(`${folder()}.away`, folder());
    expect(await faults()).toEqual([undefined]);
  });

  it("leaves files alone that are not its own", async () => {
    await writeFile(fileOf("README"), "not ours");
    for await (const ids of store.ids()) expect(ids).not.toContain("README");
    expect(await readdir(folder())).toContain("README");
  });

  it("fails a download whose file is cut short while it is streamed", async () => {
    const id = randomUUID();
    await store.put(id, Buffer.alloc(3_000_000, "x"));
    const bytes = (await store.open(id))!;
    const pieces = bytes.pieces(0, bytes.size - 1);
    await pieces.next();
    await chmod(fileOf(id), 0o600);
    await truncate(fileOf(id), 1_000_000);
    await expect(text(pieces)).rejects.toThrow("The stored file is shorter than its row says.");
  });
});

describe("a folder that is the place of a disk of its own", () => {
  let dataDir: string;
  let store: ObjectStore;
  let isMounted: boolean;
  beforeEach(async () => {
    dataDir = await newFolder();
    isMounted = true;
    store = await openDiskStore(dataDir, testClock(), undefined, undefined, () => Promise.resolve(isMounted));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  const fault = (): Promise<string | undefined> => store.readiness.find(({ name }) => name === "storage")!.check();
  const emptyPlace = () => rm(join(dataDir, "objects"), { recursive: true }).then(() => mkdir(join(dataDir, "objects")));

  // RUN-2, RUN-3
  it("is missing while the disk is, and takes and misses no file meanwhile", async () => {
    const [stored, part, later] = [randomUUID(), randomUUID(), randomUUID()];
    await store.put(stored, Buffer.from("bytes"));
    await store.begin(part);
    await emptyPlace();
    isMounted = false;
    expect(await fault()).toBe("missing");
    const attempts = [
      () => store.open(stored),
      () => store.size(stored),
      () => store.append(part, 0),
      () => store.complete(part),
      () => store.begin(later),
      () => store.put(later, Buffer.from("bytes")),
      () => store.remove(stored),
      () => store.ids()[Symbol.asyncIterator]().next(),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: "unavailable" });
    expect(await readdir(join(dataDir, "objects"))).toEqual([]);
    // The disk may have another device number now, as of a network.
    isMounted = true;
    expect([await fault(), await store.size(later)]).toEqual([undefined, undefined]);
    await store.put(later, Buffer.from("bytes"));
  });

  it("serves from a disk that is mounted after the start, and misses it from then on", async () => {
    isMounted = false;
    store = await openDiskStore(dataDir, testClock(), undefined, undefined, () => Promise.resolve(isMounted));
    expect(await fault()).toBeUndefined();
    isMounted = true;
    expect(await fault()).toBeUndefined();
    isMounted = false;
    expect(await fault()).toBe("missing");
  });

  it("is unreachable while a server of the network does not reply for it", async () => {
    const dead = (): Promise<boolean> => Promise.reject(Object.assign(new Error("not connected"), { code: "ENOTCONN" }));
    let ask = (): Promise<boolean> => Promise.resolve(true);
    store = await openDiskStore(dataDir, testClock(), undefined, undefined, () => ask());
    ask = dead;
    expect(await fault()).toBe("unreachable");
  });

  it.runIf(existsSync("/proc/self"))("tells a mounted disk from a folder, also through a link", async () => {
    const link = join(dataDir, "link");
    await symlink("/proc", link);
    expect(await Promise.all(["/proc", link, "/proc/self", dataDir].map(isMountPoint))).toEqual([true, true, false, false]);
  });
});
