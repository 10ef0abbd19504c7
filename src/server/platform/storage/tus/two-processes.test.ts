import { createHash, randomUUID } from "node:crypto";
import { open, readFile, stat } from "node:fs/promises";
import type { ClientRequest } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { admin, type Person } from "../../../../../tests/support/people.ts";
import { hangingPatch, idOf, mp4Of, uploader, type Uploader } from "../../../../../tests/support/uploads.ts";
import { soon } from "../../../../../tests/support/soon.ts";
import { SharedLocks } from "../locks/shared-locks.ts";
import { sweep } from "../sweep.ts";
import { UploadLocks } from "../locks/upload-locks.ts";

let first: TestApp;
let second: TestApp;
let person: Person;
let onFirst: Uploader;
let onSecond: Uploader;

beforeAll(async () => {
  first = await startApp();
  second = await startApp({ beside: first });
  person = await admin(first);
});
afterAll(async () => {
  await second?.close();
  await first?.close();
});
beforeEach(() => {
  onFirst = uploader(first, person);
  onSecond = uploader(second, person);
});

const fileOf = (id: string): string => join(first.deps.config.files.dataDir, "objects", id);
const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");
const hashOf = async (id: string): Promise<string> => sha256(await readFile(fileOf(id)));
const isStored = async (id: string): Promise<boolean> =>
  (await first.sql("select 1 from stored_objects where id = $1", [id])).length === 1;

async function started(size: number): Promise<{ location: string; id: string }> {
  const location = (await onFirst.start("course-videos", size)).headers.get("location") ?? "";
  return { location, id: idOf(location) };
}

/** A PATCH on the first process that hangs after the process has begun to write its bytes. */
async function hangOnFirst(location: string, bytes: Buffer): Promise<ClientRequest> {
  const hanging = hangingPatch(first, person, location, bytes, 1_200_000);
  const part = `${fileOf(idOf(location))}.part`;
  await soon(async () => expect((await stat(part)).mode & 0o200).toBe(0o200));
  return hanging;
}

/** Waits until a request is cut, or refused because it was interrupted before it read its body. */
const endOf = (hanging: ClientRequest): Promise<unknown> =>
  new Promise((resolve) => hanging.once("close", resolve).once("response", resolve)).finally(() => hanging.destroy());

describe("two processes on one database and one folder", () => {
  it("the newest request on an upload wins in either process", async () => {
    const bytes = mp4Of(3_000_000);
    const { location, id } = await started(bytes.length);
    const hanging = await hangOnFirst(location, bytes);
    const cut = endOf(hanging);
    const offset = Number((await onSecond.head(location)).headers.get("upload-offset"));
    await cut;
    expect((await onSecond.patch(location, offset, bytes.subarray(offset))).status).toBe(204);
    expect(await hashOf(id)).toBe(sha256(bytes));
    expect(await isStored(id)).toBe(true);
  });

  it("an upload ends whole when two processes receive the same part at once", async () => {
    const bytes = mp4Of(2_000_000);
    const { location, id } = await started(bytes.length);
    const tries = [onFirst, onSecond, onFirst, onSecond].map((who) => who.patch(location, 0, bytes));
    for (const attempt of await Promise.allSettled(tries)) {
      if (attempt.status === "fulfilled") expect([204, 409]).toContain(attempt.value.status);
    }
    const offset = Number((await onSecond.head(location)).headers.get("upload-offset"));
    if (offset < bytes.length) expect((await onFirst.patch(location, offset, bytes.subarray(offset))).status).toBe(204);
    expect(await hashOf(id)).toBe(sha256(bytes));
    expect((await stat(fileOf(id))).mode & 0o222).toBe(0);
  });

  it("a process that lost its lock never changes a completed object", async () => {
    const bytes = mp4Of(500_000);
    const { location, id } = await started(bytes.length);
    const late = await second.deps.objects.append(id, 50_000);
    expect((await onFirst.patch(location, 0, bytes)).status).toBe(204);
    await late!.write(Buffer.alloc(400_000, "x"));
    await late!.flush().catch(() => {});
    await late!.close(true);
    expect(await second.deps.objects.append(id, 0)).toBeUndefined();
    expect(await hashOf(id)).toBe(sha256(bytes));
  });

  it("an object whose writers all closed it is not copied", async () => {
    const bytes = mp4Of(500_000);
    const { location, id } = await started(bytes.length);
    const { ino } = await stat(`${fileOf(id)}.part`);
    await onFirst.patch(location, 0, bytes.subarray(0, 200_000));
    expect((await onSecond.patch(location, 200_000, bytes.subarray(200_000))).status).toBe(204);
    expect((await stat(fileOf(id))).ino).toBe(ino);
  });

  it("a process that loses its lock connection frees its locks and stops its requests", async () => {
    const bytes = mp4Of(3_000_000);
    const { location, id } = await started(bytes.length);
    const hanging = await hangOnFirst(location, bytes);
    const cut = endOf(hanging);
    await first.sql(
      "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 1 and objid = hashtext($1)::oid",
      [id],
    );
    await cut;
    const offset = Number((await onSecond.head(location)).headers.get("upload-offset"));
    expect((await onSecond.patch(location, offset, bytes.subarray(offset))).status).toBe(204);
    expect(await hashOf(id)).toBe(sha256(bytes));
    expect((await onFirst.head(location)).status).toBe(200);
  });

  it("sweep leaves an upload alone while another process has its lock", async () => {
    const { id } = await started(9000);
    const locks = new UploadLocks(first.deps.db.$client, () => {});
    const others = new UploadLocks(second.deps.db.$client, () => {});
    const lock = others.lockerOf({}).newLock(id);
    await lock.lock(new AbortController().signal, () => {});
    const { db, objects } = first.deps;
    const clock = { ...first.clock, now: () => new Date(Date.now() + 48 * 3600 * 1000) };
    const parts = { db, clock, objects, buckets: [], locks };
    await sweep(parts);
    await stat(`${fileOf(id)}.part`);
    await lock.unlock();
    await sweep(parts);
    await expect(stat(`${fileOf(id)}.part`)).rejects.toThrow("ENOENT");
    expect(await first.sql("select 1 from unfinished_uploads where id = $1", [id])).toEqual([]);
    await Promise.all([locks.close(), others.close()]);
  });

  it("one session has a lock at a time, and is told who else wants it", async () => {
    const wanted: string[] = [];
    const one = new SharedLocks(first.deps.db.$client, { onWanted: (id) => void wanted.push(id), onLost: () => {} });
    const two = new SharedLocks(second.deps.db.$client, { onWanted: () => {}, onLost: () => {} });
    const id = randomUUID();
    const { lease, at } = await one.tryLock(id);
    const refused = await two.tryLock(id);
    expect([refused.lease, refused.at > at]).toEqual([undefined, true]);
    await two.ask(id, refused.at);
    await soon(() => expect(wanted).toEqual([id]));
    await one.unlock(id, lease!);
    expect((await two.tryLock(id)).lease).toBeDefined();
    await Promise.all([one.close(), two.close()]);
  });

  it("a request is interrupted by newer ones only", async () => {
    const interrupted: string[] = [];
    const locks = new UploadLocks<string>(first.deps.db.$client, (name) => void interrupted.push(name));
    const others = new SharedLocks(second.deps.db.$client, { onWanted: () => {}, onLost: () => {} });
    const ids = { one: randomUUID(), two: randomUUID() };
    const older = await others.tryLock(ids.one);
    await others.unlock(ids.one, older.lease!);
    for (const name of ["one", "two"] as const) {
      await locks
        .lockerOf(name)
        .newLock(ids[name])
        .lock(new AbortController().signal, () => {});
    }
    const newer = await others.tryLock(ids.one);
    await others.ask(ids.one, older.at);
    // It is heard after the older one.
    await others.ask(ids.two, newer.at);
    await soon(() => expect(interrupted).toContain("two"));
    expect(interrupted).toEqual(["two"]);
    await others.ask(ids.one, newer.at);
    await soon(() => expect(interrupted).toEqual(["two", "one"]));
    await Promise.all([locks.close(), others.close()]);
  });
});

it("completes a part that a killed process left open", async () => {
  const bytes = mp4Of(300_000);
  const { location, id } = await started(bytes.length);
  const path = `${fileOf(id)}.part`;
  const left = await first.deps.objects.append(id, 0);
  await left!.write(bytes.subarray(0, 100_000));
  await left!.flush();
  await left!.close(false);
  expect((await onFirst.patch(location, 100_000, bytes.subarray(100_000))).status).toBe(204);
  expect(await hashOf(id)).toBe(sha256(bytes));
  await expect(open(path, "r")).rejects.toThrow("ENOENT");
});
