import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ObjectStore, StoredBytes } from "./object-store.ts";

export interface StoreUnderTest {
  store: ObjectStore;
  /** Opens the same bytes anew, as another process does. */
  reopen(): Promise<ObjectStore>;
  /** The same while a backup is written. */
  reopenHeld(): Promise<ObjectStore>;
  /** Lets the store have this much room and no more; undefined where it has no end. */
  limitRoom: ((bytes: number) => void) | undefined;
  close(): Promise<void>;
}

/** The contract of `ObjectStore` as tests; every implementation runs them all. */
export function testObjectStore(open: () => Promise<StoreUnderTest>): void {
  let subject: StoreUnderTest;
  let store: ObjectStore;
  beforeAll(async () => {
    subject = await open();
    store = subject.store;
  });
  afterAll(() => subject?.close());

  const newId = async (): Promise<string> => {
    const id = randomUUID();
    await store.begin(id);
    return id;
  };
  const append = async (id: string, bytes: string | Buffer, to = store): Promise<void> => {
    const writer = (await to.append(id, (await to.size(id)) ?? 0))!;
    await writer.write(Buffer.from(bytes));
    await writer.flush();
    await writer.close(true);
  };
  const contentOf = async (bytes: StoredBytes | undefined): Promise<string | undefined> => {
    const content = bytes && (await text(bytes.pieces(0, bytes.size - 1)));
    await bytes?.close();
    return content;
  };
  const completed = async (bytes: string): Promise<string> => {
    const id = await newId();
    await append(id, bytes);
    await (await store.complete(id))?.close();
    return id;
  };
  const idsOf = async (): Promise<string[]> => {
    const all: string[] = [];
    for await (const batch of store.ids()) all.push(...batch);
    return all;
  };

  it("a new part is empty, and cannot be begun twice", async () => {
    const id = await newId();
    expect(await store.size(id)).toBe(0);
    await expect(store.begin(id)).rejects.toThrow();
  });

  it("methods resolve with undefined for an id without bytes", async () => {
    const id = randomUUID();
    expect([await store.size(id), await store.append(id, 0), await store.complete(id), await store.open(id)]).toEqual(
      Array.from({ length: 4 }),
    );
    expect(await store.lastChange(id)).toBeUndefined();
  });

  it("writes add up to the part, across writers and across processes", async () => {
    const id = await newId();
    await append(id, "one ");
    const other = await subject.reopen();
    expect(await other.size(id)).toBe(4);
    await append(id, "two", other);
    expect(await contentOf(await store.complete(id))).toBe("one two");
  });

  it("many small and large pieces keep their order", async () => {
    const id = await newId();
    const writer = (await store.append(id, 0))!;
    const pieces = Array.from({ length: 60 }, (_none, index) => Buffer.alloc(index % 7 === 0 ? 700_000 : 999, `${index}.`));
    for (const piece of pieces) await writer.write(piece);
    await writer.flush();
    await writer.close(true);
    expect(await contentOf(await store.complete(id))).toBe(Buffer.concat(pieces).toString());
  });

  it("a writer returns the part's first bytes, also those written before it", async () => {
    const id = await newId();
    await append(id, "head and tail");
    const writer = (await store.append(id, 13))!;
    expect((await writer.head(4)).toString()).toBe("head");
    expect((await writer.head(100)).toString()).toBe("head and tail");
    await writer.close(true);
  });

  it("a part is no object before it is completed, and no part afterwards", async () => {
    const id = await newId();
    await append(id, "bytes");
    expect(await store.open(id)).toBeUndefined();
    await (await store.complete(id))?.close();
    expect(await store.append(id, 5)).toBeUndefined();
    expect(await contentOf(await store.open(id))).toBe("bytes");
    expect(await store.size(id)).toBe(5);
  });

  it("completing again, and twice at once, returns the same object", async () => {
    const id = await newId();
    await append(id, "bytes");
    const both = await Promise.all([store.complete(id), (await subject.reopen()).complete(id)]);
    expect(await Promise.all(both.map(contentOf))).toEqual(["bytes", "bytes"]);
    expect(await contentOf(await store.complete(id))).toBe("bytes");
  });

  it("a writer that is still open never changes a completed object", async () => {
    const id = await newId();
    await append(id, "the bytes of the object");
    const late = (await (await subject.reopen()).append(id, 4))!;
    await (await store.complete(id))?.close();
    await late.write(Buffer.from("something else, and more of it")).catch(() => {});
    await late.flush().catch(() => {});
    await late.close(true);
    expect(await contentOf(await store.open(id))).toBe("the bytes of the object");
  });

  it("a late writer takes nothing away from a part", async () => {
    const id = await newId();
    await append(id, "the bytes");
    const late = (await (await subject.reopen()).append(id, 4))!;
    await append(id, " of the object");
    await late.write(Buffer.from("by"));
    await late.flush();
    await late.close(false);
    expect(await store.size(id)).toBe(23);
    expect(await contentOf(await store.complete(id))).toBe("the bytes of the object");
  });

  it("a part without bytes becomes an object without bytes", async () => {
    const id = await newId();
    const bytes = (await store.complete(id))!;
    expect([bytes.size, (await bytes.head(10)).length, await contentOf(bytes)]).toEqual([0, 0, ""]);
  });

  it("an object opened by two readers is streamed from any byte to any other", async () => {
    const id = await completed("0123456789");
    const ranges = await Promise.all(
      [
        [0, 0],
        [3, 6],
        [9, 9],
        [0, 9],
      ].map(async ([start, end]) => text((await store.open(id))!.pieces(start!, end!))),
    );
    expect(ranges).toEqual(["0", "3456", "9", "0123456789"]);
  });

  it("an open object has its size and first bytes at hand, and may be closed twice", async () => {
    const bytes = (await store.open(await completed("0123456789")))!;
    expect([bytes.size, (await bytes.head(3)).toString()]).toEqual([10, "012"]);
    await bytes.close();
    await bytes.close();
  });

  it("a range behind the end is rejected before a byte is streamed", async () => {
    const bytes = (await store.open(await completed("0123456789")))!;
    await expect(bytes.pieces(10, 12).next()).rejects.toThrow();
  });

  it("a range that goes beyond the end fails instead of ending early", async () => {
    const bytes = (await store.open(await completed("0123456789")))!;
    await expect(text(bytes.pieces(5, 12))).rejects.toThrow();
  });

  it("bytes are put as a whole object, once", async () => {
    const id = randomUUID();
    await store.put(id, Buffer.from("whole"));
    await expect(store.put(id, Buffer.from("other"))).rejects.toThrow();
    expect(await contentOf(await store.open(id))).toBe("whole");
    expect(await contentOf(await store.complete(id))).toBe("whole");
  });

  it("an action reads the object's bytes from a file", async () => {
    const id = await completed("in a file");
    expect(await store.withFile(id, (path) => readFile(path, "utf8"))).toBe("in a file");
  });

  it("removes parts without the object, and an object with its parts, repeatedly", async () => {
    const [part, object] = [await newId(), await completed("bytes")];
    for (let round = 0; round < 2; round += 1) {
      await store.removePart(part);
      await store.removePart(object);
    }
    expect([await store.size(part), await store.size(object)]).toEqual([undefined, 5]);
    for (let round = 0; round < 2; round += 1) await store.remove(object);
    expect(await store.size(object)).toBeUndefined();
  });

  it("removes a part while a backup is written, and leaves the object to later", async () => {
    const [part, object] = [await newId(), await completed("bytes")];
    await append(part, "more bytes");
    const held = await subject.reopenHeld();
    await held.remove(part);
    await held.remove(object);
    expect([await store.size(part), await store.size(object)]).toEqual([undefined, 5]);
  });

  it("ids lists parts and objects, and forgets what is removed", async () => {
    const [part, object, removed] = [await newId(), await completed("bytes"), await newId()];
    await store.remove(removed);
    const all = await idsOf();
    expect(all).toEqual(expect.arrayContaining([part, object]));
    expect(all).not.toContain(removed);
  });

  it("the last change moves on with a write", async () => {
    const id = await newId();
    const before = (await store.lastChange(id))!;
    const changedAgain = async (): Promise<Date> => {
      await append(id, "more");
      return (await store.lastChange(id))!;
    };
    await expect.poll(async () => (await changedAgain()).getTime()).toBeGreaterThan(before.getTime());
  });

  it("without room a check and a write are rejected as insufficient_storage", async ({ skip }) => {
    if (!subject.limitRoom) return skip("this store has no end");
    const id = await newId();
    const writer = (await store.append(id, 0))!;
    subject.limitRoom(1000);
    await store.checkSpace(1000);
    await expect(store.checkSpace(1001)).rejects.toMatchObject({ code: "insufficient_storage" });
    await expect(writer.write(Buffer.alloc(2000)).then(() => writer.flush())).rejects.toMatchObject({
      code: "insufficient_storage",
    });
    await writer.close(true);
    subject.limitRoom(Number.MAX_SAFE_INTEGER);
    expect(await store.size(id)).toBe(0);
  });

  it("a working store reports no fault", async () => {
    expect(await Promise.all(store.readiness.map(({ check }) => check()))).toEqual(store.readiness.map(() => undefined));
  });
}
