import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { hasS3Server, startS3Server, type S3Server } from "../../../../../tests/support/s3/server.ts";
import { testClock } from "../../../../../tests/support/app.ts";
import { DiskSpace, diskReserve } from "../disk/disk-space.ts";
import { testObjectStore } from "../object-store.suite.ts";
import { isObjectId, type ObjectStore } from "../object-store.ts";
import { storageProblem } from "../outage.ts";
import { S3Bucket } from "./s3-bucket.ts";
import { openClient } from "./s3-client.ts";
import { partSize } from "./s3-part.ts";
import { openS3Store } from "./s3-store.ts";

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), "pipwright-from-s3-"));

/** FILE-18. */
describe.runIf(hasS3Server)("a bucket as object store", () => {
  testObjectStore(async () => {
    const [server, folder] = await Promise.all([startS3Server(), newFolder()]);
    return {
      store: openS3Store(server.settings, folder),
      reopen: () => Promise.resolve(openS3Store(server.settings, folder)),
      reopenHeld: () => Promise.resolve(openS3Store(server.settings, folder, () => Promise.resolve(true))),
      limitRoom: undefined,
      async close() {
        await server.close();
        await rm(folder, { recursive: true });
      },
    };
  });
});

describe.runIf(hasS3Server)("a part in a bucket", () => {
  let server: S3Server;
  let folder: string;
  let store: ObjectStore;
  beforeAll(async () => {
    [server, folder] = await Promise.all([startS3Server(), newFolder()]);
    store = openS3Store(server.settings, folder);
  });
  afterAll(async () => {
    await server?.close();
    await rm(folder, { recursive: true });
  });

  const film = Buffer.alloc(3 * partSize - 1000, "0123456789 and so on, ");
  const writeFrom = async (id: string, start: number, end: number) => {
    const writer = (await store.append(id, start))!;
    for (let at = start; at < end; at += 99_999) await writer.write(film.subarray(at, Math.min(at + 99_999, end)));
    return writer;
  };
  const wholeOf = async (id: string): Promise<Buffer> => {
    const bytes = (await store.open(id))!;
    return buffer(bytes.pieces(0, bytes.size - 1));
  };

  it("goes on after its last whole part where a process ended", async () => {
    const id = randomUUID();
    await store.begin(id);
    await (await writeFrom(id, 0, 1000)).flush();
    // Without flush, as at a kill: the second whole part is underway when the third begins to fill.
    await (await writeFrom(id, 1000, 2 * partSize + 500_000)).close(true);
    expect(await store.size(id)).toBe(2 * partSize);
    const last = await writeFrom(id, 2 * partSize, film.length);
    expect((await last.head(20)).toString()).toBe("0123456789 and so on");
    await last.flush();
    await last.close(true);
    expect(await store.size(id)).toBe(film.length);
    await store.complete(id);
    expect((await wholeOf(id)).equals(film)).toBe(true);
  });

  it("is stored only by writers that brought bytes, and at most once", async () => {
    const id = randomUUID();
    await store.begin(id);
    await (await writeFrom(id, 0, 1000)).flush();
    const put = vi.spyOn(S3Bucket.prototype, "put");
    onTestFinished(() => put.mockRestore());
    const writer = await writeFrom(id, 1000, 1000);
    await writer.flush();
    expect(put).not.toHaveBeenCalled();
    await writer.write(film.subarray(1000, 2000));
    for (let time = 0; time < 2; time += 1) await writer.flush();
    await writer.close(true);
    expect(put).toHaveBeenCalledTimes(1);
    expect(await store.size(id)).toBe(2000);
  });

  it("leaves nothing beside its object", async () => {
    const id = randomUUID();
    await store.begin(id);
    await (await writeFrom(id, 0, partSize + 1000)).flush();
    await store.complete(id);
    await store.remove(id);
    const ids: string[] = [];
    for await (const batch of store.ids()) ids.push(...batch);
    expect(ids).not.toContain(id);
  });

  // The folders of a store's console are such keys.
  it("has no id by a key of something else", async () => {
    const client = openClient(server.settings);
    for (const Key of ["objects/", "parts/", "objects/notes.txt"]) {
      await client.send(new PutObjectCommand({ Bucket: server.settings.bucket, Key, Body: "x" }));
    }
    client.destroy();
    const ids: string[] = [];
    for await (const batch of store.ids()) ids.push(...batch);
    expect(ids.filter((id) => !isObjectId(id))).toEqual([]);
  });

  it("is not opened at an offset that another request has passed", async () => {
    const id = randomUUID();
    await store.begin(id);
    await (await writeFrom(id, 0, partSize)).flush();
    expect(await store.append(id, 1000)).toBeUndefined();
  });

  it("stays while a backup is written", async () => {
    const id = randomUUID();
    const held = openS3Store(server.settings, folder, () => Promise.resolve(true));
    await held.put(id, Buffer.from("in the backup"));
    await held.remove(id);
    expect(await store.size(id)).toBe(13);
  });

  it("is a file only as long as an action reads it", async () => {
    const id = randomUUID();
    await store.put(id, Buffer.from("bytes"));
    await expect(store.withFile(id, () => Promise.reject(new Error("undecodable")))).rejects.toThrow("undecodable");
    expect(await readdir(folder)).toEqual([]);
  });

  // FILE-8
  it("is no file where that would leave less of the disk than the reserve", async () => {
    const id = randomUUID();
    await store.put(id, Buffer.from("bytes"));
    let room = 4;
    const readDisk = () => Promise.resolve({ free: diskReserve(1024 ** 3) + room, total: 1024 ** 3 });
    const space = new DiskSpace(folder, testClock(), readDisk);
    const small = openS3Store(server.settings, folder, undefined, space);
    await expect(small.withFile(id, () => Promise.resolve())).rejects.toMatchObject({ code: "insufficient_storage" });
    expect(await readdir(folder)).toEqual([]);
    room = 5;
    expect(await small.withFile(id, (path) => readFile(path, "utf8"))).toBe("bytes");
    // RUN-2
    const disk = small.readiness.find(({ name }) => name === "disk");
    expect(await disk?.check()).toBeUndefined();
    room = 0;
    expect(await disk?.check()).toBe("at_reserve");
    await expect.poll(() => storageProblem(small)).toBeUndefined();
  });

  it("is no file beside another one that is being fetched, where both do not fit", async () => {
    const id = randomUUID();
    await store.put(id, film);
    const bothAsk = new EventEmitter();
    let readings = 0;
    const readDisk = async () => {
      readings += 1;
      if (readings === 1) await once(bothAsk, "second");
      else bothAsk.emit("second");
      return { free: diskReserve(1024 ** 3) + film.length, total: 1024 ** 3 };
    };
    const small = openS3Store(server.settings, folder, undefined, new DiskSpace(folder, testClock(), readDisk));
    const fetched = () => small.withFile(id, () => Promise.resolve("fetched"));
    const both = await Promise.allSettled([fetched(), fetched()]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(await fetched()).toBe("fetched");
  });

  it("cannot be reached at another address, in another bucket, or with another key", async () => {
    const away = openS3Store({ ...server.settings, endpoint: "http://127.0.0.1:9" }, folder);
    const elsewhere = openS3Store({ ...server.settings, bucket: "no-such-bucket" }, folder);
    const withoutKey = openS3Store({ ...server.settings, secretAccessKey: "wrong" }, folder);
    expect(await storageProblem(away)).toBe("unreachable");
    // A reply that is late is reported as unreachable.
    await expect.poll(() => storageProblem(elsewhere)).toBe("missing");
    await expect.poll(() => storageProblem(withoutKey)).toBe("refused");
    await expect(away.size(randomUUID())).rejects.toMatchObject({ code: "unavailable" });
  });

  // RUN-3
  it("opens no object as a missing one while the whole bucket is missing", async () => {
    const gone = openS3Store({ ...server.settings, bucket: "no-such-bucket" }, folder);
    await expect(gone.open(randomUUID())).rejects.toMatchObject({ code: "unavailable" });
  });

  // RUN-3
  it("opens no object as a missing one while the bucket may be missing", async () => {
    const said = vi.spyOn(S3Bucket.prototype, "fault");
    onTestFinished(() => said.mockRestore());
    said.mockResolvedValueOnce("unreachable");
    await expect(store.open(randomUUID())).rejects.toMatchObject({ code: "unavailable" });
    said.mockResolvedValueOnce("refused");
    expect(await store.open(randomUUID())).toBeUndefined();
  });

  it("is reported as unreachable by a store that is silent", async () => {
    server.pause();
    const [fault] = await Promise.all(store.readiness.map(({ check }) => check()));
    server.resume();
    expect(fault).toBe("unreachable");
  });
});
