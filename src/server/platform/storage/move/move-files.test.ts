import { createHash, randomUUID } from "node:crypto";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../clock.ts";
import { testClock } from "../../../../../tests/support/app.ts";
import { diskReserve } from "../disk/disk-space.ts";
import { openDiskStore } from "../disk/disk-store.ts";
import { storeWith, storeWithBadSector } from "../../../../../tests/support/store-with.ts";
import type { ObjectStore } from "../object-store.ts";
import { openCheckedFiles } from "./checked-files.ts";
import type { FileRecord } from "./copy-object.ts";
import { moveFiles, type FileMove, type MoveProgress } from "./move-files.ts";

let folder: string;
let from: ObjectStore;
let to: ObjectStore;
let rows: Map<string, FileRecord>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pipwright-move-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  from = await openDiskStore(await mkdtemp(join(folder, "from-")), systemClock);
  to = await openDiskStore(await mkdtemp(join(folder, "to-")), systemClock);
  rows = new Map();
});

const large = Buffer.alloc(9_000_000, "0123456789 and so on, ");

async function stored(bytes: Buffer, has: "digest" | "size" = "size"): Promise<string> {
  const id = randomUUID();
  await from.put(id, bytes);
  rows.set(id, { id, size: bytes.length, sha256: has === "digest" ? createHash("sha256").update(bytes).digest() : null });
  return id;
}

async function bytesIn(store: ObjectStore, id: string): Promise<Buffer | undefined> {
  const found = await store.open(id);
  const pieces: Buffer[] = [];
  for await (const piece of found?.pieces(0, found.size - 1) ?? []) pieces.push(Buffer.from(piece));
  return found && Buffer.concat(pieces);
}

async function moved(more: Partial<FileMove> = {}): Promise<MoveProgress> {
  const progress: MoveProgress = { moved: 0, present: 0, bytes: 0, faults: [] };
  const files = (async function* () {
    yield* rows.values();
  })();
  const isStored = (id: string) => Promise.resolve(rows.has(id));
  const checked = { has: () => false, add: () => Promise.resolve() };
  await moveFiles({ from, to, files, isStored, checked, progress, ...more });
  return progress;
}

/** As a run leaves it that was killed. */
async function cutOff(id: string, bytes: Buffer): Promise<void> {
  await to.begin(id);
  const writer = (await to.append(id, 0))!;
  await writer.write(bytes);
  await writer.flush();
  await writer.close(true);
}

// FILE-20
describe("moving files", () => {
  it("copies small, large and empty ones, and finds them there the next time", async () => {
    const ids = [await stored(Buffer.from("a picture"), "digest"), await stored(large), await stored(Buffer.alloc(0))];
    expect(await moved()).toEqual({ moved: 3, present: 0, bytes: 9_000_009, faults: [] });
    for (const id of ids) expect((await bytesIn(to, id))!.equals((await bytesIn(from, id))!)).toBe(true);
    expect(await moved()).toMatchObject({ moved: 0, present: 3, faults: [] });
  });

  it("goes on behind the bytes of a run that was cut off", async () => {
    const id = await stored(large, "digest");
    await cutOff(id, large.subarray(0, 5_000_000));
    const written: number[] = [];
    const append: ObjectStore["append"] = (name, offset) => {
      written.push(offset);
      return to.append(name, offset);
    };
    expect(await moved({ to: storeWith(to, { append }) })).toMatchObject({ moved: 1 });
    expect(written).toEqual([5_000_000]);
    expect((await bytesIn(to, id))!.equals(large)).toBe(true);
  });

  it("begins anew behind bytes that are not the file's", async () => {
    const [other, longer] = [await stored(large), await stored(large)];
    await cutOff(other, Buffer.alloc(5_000_000, "x"));
    await cutOff(longer, Buffer.alloc(large.length + 1, "x"));
    expect(await moved()).toMatchObject({ moved: 2, faults: [] });
    for (const id of [other, longer]) expect((await bytesIn(to, id))!.equals(large)).toBe(true);
  });

  it("leaves out what is damaged or missing, and moves the rest", async () => {
    const wrong = { small: await stored(Buffer.from("a picture")), large: await stored(large), short: await stored(large) };
    const digest = createHash("sha256").update("another").digest();
    for (const id of [wrong.small, wrong.large]) rows.set(id, { ...rows.get(id)!, sha256: digest });
    rows.set(wrong.short, { ...rows.get(wrong.short)!, size: large.length + 1 });
    const missing = await stored(large);
    await from.remove(missing);
    const sound = await stored(large);
    const { moved: count, faults } = await moved();
    expect([count, faults.toSorted((a, b) => (a.id < b.id ? -1 : 1))]).toEqual([
      1,
      [...Object.values(wrong).map((id) => ({ id, kind: "damaged" })), { id: missing, kind: "missing" }].toSorted((a, b) =>
        a.id < b.id ? -1 : 1,
      ),
    ]);
    for (const id of [...Object.values(wrong), missing]) expect(await to.size(id)).toBeUndefined();
    expect((await bytesIn(to, sound))!.equals(large)).toBe(true);
  });

  it.each([
    ["small", Buffer.from("a picture")],
    ["large", large],
  ])("leaves out a %s file that the disk cannot read, and moves the rest", async (_size, bytes) => {
    const id = await stored(bytes);
    await stored(Buffer.from("another"));
    expect(await moved({ from: storeWithBadSector(from, id, bytes.length - 1) })).toMatchObject({
      moved: 1,
      faults: [{ id, kind: "damaged" }],
    });
    expect(await to.size(id)).toBeUndefined();
  });

  // FILE-20
  it.each(["EACCES", "EPERM"])("leaves out a file that this account may not read (%s), and moves the rest", async (code) => {
    const id = await stored(Buffer.from("a picture"));
    await stored(Buffer.from("another"));
    const refuse = (): Promise<never> => Promise.reject(Object.assign(new Error("permission denied"), { code }));
    const open: ObjectStore["open"] = (name) => (name === id ? refuse() : from.open(name));
    expect(await moved({ from: storeWith(from, { open }) })).toMatchObject({ moved: 1, faults: [{ id, kind: "damaged" }] });
    // Nothing of a folder may be asked that is closed to the account.
    await expect(moved({ from: storeWith(from, { open, size: refuse }) })).rejects.toMatchObject({ code });
  });

  it("ends where the target's disk fails", async () => {
    const id = await stored(Buffer.from("a picture"));
    await to.put(id, Buffer.from("a picture"));
    await expect(moved({ to: storeWithBadSector(to, id, 0) })).rejects.toMatchObject({ code: "EIO" });
  });

  it("leaves alone what is there with other bytes of the same length", async () => {
    const [unknown, known] = [await stored(Buffer.from("ours")), await stored(Buffer.from("ours"), "digest")];
    for (const id of [unknown, known]) await to.put(id, Buffer.from("else"));
    expect((await moved()).faults.map(({ kind }) => kind)).toEqual(["different", "different"]);
    expect((await bytesIn(to, unknown))!.toString()).toBe("else");
  });

  it("finds what the site has stored at the target since, which the source lacks", async () => {
    const id = await stored(Buffer.from("new"));
    await from.remove(id);
    await to.put(id, Buffer.from("new"));
    expect(await moved()).toMatchObject({ present: 1, faults: [] });
  });

  it("passes over a file that is removed with its row meanwhile", async () => {
    await from.remove(await stored(large));
    expect(await moved({ isStored: () => Promise.resolve(false) })).toEqual({ moved: 0, present: 0, bytes: 0, faults: [] });
  });

  it("ends with the error of a store", async () => {
    for (let count = 0; count < 6; count++) await stored(Buffer.from("a picture"));
    const put = () => Promise.reject(new Error("the store is away"));
    await expect(moved({ to: storeWith(to, { put }) })).rejects.toThrow("the store is away");
  });

  // FILE-8
  it("ends before a small file would leave less of the target's disk than the reserve", async () => {
    const id = await stored(Buffer.from("a picture"));
    const readDisk = () => Promise.resolve({ free: diskReserve(1e12) + 8, total: 1e12 });
    const full = await openDiskStore(await mkdtemp(join(folder, "full-")), testClock(), readDisk);
    await expect(moved({ to: full })).rejects.toMatchObject({ code: "insufficient_storage" });
    expect(await full.size(id)).toBeUndefined();
  });

  it("ends where a target has made an object without all the bytes", async () => {
    await stored(large);
    const complete: ObjectStore["complete"] = async (id) => ({ ...(await to.complete(id))!, size: large.length - 1 });
    await expect(moved({ to: storeWith(to, { complete }) })).rejects.toThrow("could not be stored");
  });

  it("does not read again what an earlier run has compared at the same target", async () => {
    const id = await stored(large);
    const path = join(folder, randomUUID());
    await moved({ checked: await openCheckedFiles(path, "https://s3.example.com course") });
    const text = await readFile(path, "utf8");
    expect(text).toBe(`${id} https://s3.example.com course\n`);

    const reads: string[] = [];
    const open: ObjectStore["open"] = async (name) => {
      const bytes = await to.open(name);
      const pieces = (start: number, end: number) => {
        reads.push(name);
        return bytes!.pieces(start, end);
      };
      return bytes && { ...bytes, pieces };
    };
    const again = { to: storeWith(to, { open }) };
    expect(await moved({ ...again, checked: await openCheckedFiles(path, "https://s3.example.com course") })).toMatchObject({
      present: 1,
    });
    expect(reads).toEqual([]);
    // Of another bucket nothing is known, nor of a line that was cut off.
    await moved({ ...again, checked: await openCheckedFiles(path, "https://s3.example.com other") });
    expect(reads).toEqual([id]);
    await writeFile(path, text.slice(0, -1));
    await moved({ ...again, checked: await openCheckedFiles(path, "https://s3.example.com course") });
    expect(reads).toEqual([id, id]);
    await appendFile(path, "");
    expect((await openCheckedFiles(path, "https://s3.example.com course")).has(id)).toBe(true);
  });
});
