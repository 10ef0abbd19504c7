import { chmod, mkdtemp, readdir, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testClock } from "../../../../../tests/support/app.ts";
import { testObjectStore } from "../object-store.suite.ts";
import type { ObjectStore } from "../object-store.ts";
import { diskReserve } from "./disk-space.ts";
import { openDiskStore } from "./disk-store.ts";

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
