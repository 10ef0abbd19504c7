// Over 250 lines: what a sweep removes and what it keeps, each against the same store.
import { readdir, rm, utimes, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { screenshotBucket } from "#server/features/payment-requests/screenshots/bucket";
import { videoBucket } from "#server/features/videos/bucket";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { hasS3Server, startS3Server } from "../../../../tests/support/s3/server.ts";
import { behindTransaction } from "../../../../tests/support/database/behind-transaction.ts";
import { admin, signIn, student, type Person } from "../../../../tests/support/people.ts";
import { idOf, mp4Of, pngOf, uploader, type Uploader } from "../../../../tests/support/uploads.ts";
import { secondsAfter } from "../clock.ts";
import { lockKeys } from "../db/locks.ts";
import { databaseMadeAt } from "../db/database-history.ts";
import { UploadLocks } from "./locks/upload-locks.ts";
import { sweep, type SweepParts } from "./sweep.ts";
import { unfinishedBefore } from "./uploads/unfinished-uploads.ts";

let app: TestApp;
let buyer: Person;
let owner: Uploader;
let operator: Uploader;
let locks: UploadLocks<string>;

beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  // The clock only goes forward, and sessions end.
  buyer = await student(app);
  owner = uploader(app, buyer);
  operator = uploader(app, await admin(app));
  locks = new UploadLocks(app.deps.db.$client, () => {});
});
afterEach(() => locks.close());
afterAll(() => app?.close());

const folder = (): string => join(app.deps.config.files.dataDir, "objects");
const day = 24 * 3600;

function sweepNow(parts: Partial<SweepParts> = {}): Promise<void> {
  const { db, clock, config, objects, pictures } = app.deps;
  const buckets = [screenshotBucket(config, pictures), videoBucket(config)];
  return sweep({ db, clock, objects, buckets, locks, ...parts });
}

/** Something that happens after the sweep has chosen an upload and before it has the upload's lock. */
const justBefore = (upload: string, event: () => Promise<unknown>): Pick<SweepParts, "locks"> => ({
  locks: {
    async ifFree(id, action) {
      if (id === upload) await event();
      await action();
    },
  },
});

/** What is left of an upload: its row, its bytes, its state. */
async function left(id: string): Promise<string[]> {
  const rows = await app.sql("select 1 from stored_objects where id = $1", [id]);
  const files = (await readdir(folder())).filter((name) => name.startsWith(id)).map((name) => name.replace(id, "bytes"));
  return [...rows.map(() => "row"), ...files.toSorted()];
}

const unfinished = (id: string): Promise<unknown[]> => app.sql("select 1 from unfinished_uploads where id = $1", [id]);

const attaching = (id: string) => ({
  text: "insert into videos (title, description, object_id, module, order_index, package_type, created_at) values ('T', 'D', $1, 'M', 1, 'both', now())",
  values: [id],
});
const attach = (id: string): Promise<unknown> => app.sql(attaching(id).text, attaching(id).values);

describe("the sweep", () => {
  it("sweep removes unused objects after 24 hours, and not before", async () => {
    const screenshot = await owner.upload("payment-screenshots", pngOf(5000));
    const film = await operator.upload("course-videos", mp4Of(5000));
    app.clock.advance(day);
    await sweepNow();
    expect(await left(screenshot)).toEqual(["row", "bytes"]);
    app.clock.advance(1);
    await sweepNow({ buckets: [screenshotBucket(app.deps.config, app.deps.pictures)] });
    expect(await left(film)).toEqual(["row", "bytes"]);
    await sweepNow();
    expect(await left(screenshot)).toEqual([]);
    expect(await left(film)).toEqual([]);
  });

  it("sweep keeps the object of a video", async () => {
    const film = await operator.upload("course-videos", mp4Of(5000));
    await attach(film);
    app.clock.advance(2 * day);
    await sweepNow();
    expect(await left(film)).toEqual(["row", "bytes"]);
  });

  it("sweep removes uploads that stopped 24 hours ago, and keeps one written since", async () => {
    const stopped = idOf((await owner.start("payment-screenshots", 9000)).headers.get("location") ?? "");
    const slow = (await owner.start("payment-screenshots", 9000)).headers.get("location") ?? "";
    app.clock.advance(day + 60);
    owner = uploader(app, await signIn(app, buyer.email, buyer.password));
    await owner.patch(slow, 0, pngOf(9000).subarray(0, 4000));
    const aDayAgo = secondsAfter(app.clock.now(), -day);
    await utimes(join(folder(), `${idOf(slow)}.part`), aDayAgo, aDayAgo);
    await sweepNow();
    expect(await left(stopped)).toEqual([]);
    expect(await left(idOf(slow))).toEqual(["bytes.part"]);
    expect(await unfinished(idOf(slow))).toHaveLength(1);
  });

  it("sweep leaves an upload alone while a request has its lock", async () => {
    const id = idOf((await owner.start("payment-screenshots", 9000)).headers.get("location") ?? "");
    app.clock.advance(2 * day);
    const lock = locks.lockerOf("a request").newLock(id);
    await lock.lock(new AbortController().signal, () => {});
    await sweepNow();
    expect(await left(id)).toEqual(["bytes.part"]);
    await lock.unlock();
    await sweepNow();
    expect(await left(id)).toEqual([]);
  });

  it("sweep keeps an upload that goes on just before its turn", async () => {
    const id = idOf((await owner.start("payment-screenshots", 9000)).headers.get("location") ?? "");
    app.clock.advance(2 * day);
    const now = app.clock.now();
    await sweepNow(justBefore(id, () => utimes(join(folder(), `${id}.part`), now, now)));
    expect(await left(id)).toEqual(["bytes.part"]);
    expect(await unfinished(id)).toHaveLength(1);
  });

  it("sweep keeps an upload that is completed just before its turn", async () => {
    const id = randomUUID();
    await writeFile(join(folder(), id), "complete");
    app.clock.advance(2 * day);
    const complete = () =>
      app.sql(
        `insert into stored_objects (id, bucket, name, filename, owner_id, content_type, size, created_at)
         values ($1, 'course-videos', 'completed.mp4', 'a.mp4', null, 'video/mp4', 8, now())`,
        [id],
      );
    await sweepNow({ ...justBefore(id, complete), buckets: [] });
    expect(await left(id)).toEqual(["row", "bytes"]);
  });

  it("sweep forgets an upload whose first byte never came, with its row", async () => {
    const id = idOf((await owner.start("payment-screenshots", 9000)).headers.get("location") ?? "");
    await rm(join(folder(), `${id}.part`));
    await sweepNow();
    expect(await unfinished(id)).toHaveLength(1);
    app.clock.advance(2 * day);
    await sweepNow();
    expect(await unfinished(id)).toEqual([]);
  });

  it("sweep lists uploads that never ended from the oldest on, up to a limit", async () => {
    await app.sql("delete from unfinished_uploads");
    const ids = [randomUUID(), randomUUID(), randomUUID()] as const;
    const ages = [20, 30, 10];
    for (const [index, id] of ids.entries())
      await app.sql(
        `insert into unfinished_uploads (id, owner_id, bucket, size, metadata, created_at)
         values ($1, $2, 'payment-screenshots', 9, '{}', $3)`,
        [id, buyer.id, secondsAfter(app.clock.now(), -ages[index]! * day)],
      );
    const before = app.clock.now();
    expect(await unfinishedBefore(app.deps.db, before, 2)).toEqual([ids[1], ids[0]]);
    expect(await unfinishedBefore(app.deps.db, before, 9)).toEqual([ids[1], ids[0], ids[2]]);
    await sweepNow();
    expect(await unfinishedBefore(app.deps.db, before, 9)).toEqual([]);
  });

  // FILE-12
  it("sweep keeps a film for a day after another has replaced it", async () => {
    const [old, film] = [
      await operator.upload("course-videos", mp4Of(5000)),
      await operator.upload("course-videos", mp4Of(5000)),
    ];
    await attach(film);
    app.clock.advance(2 * day);
    await app.sql("update stored_objects set replaced_by = $2, replaced_at = $3 where id = $1", [old, film, app.clock.now()]);
    app.clock.advance(day);
    await sweepNow();
    expect(await left(old)).toEqual(["row", "bytes"]);
    app.clock.advance(1);
    await sweepNow();
    expect([await left(old), await left(film)]).toEqual([[], ["row", "bytes"]]);
  });

  it("sweep takes at most as many objects of a bucket as it asks for", async () => {
    for (let film = 0; film < 3; film += 1) await operator.upload("course-videos", mp4Of(5000));
    app.clock.advance(2 * day);
    const unused = (limit: number) => videoBucket(app.deps.config).unused(app.deps.db, app.clock.now(), limit);
    expect(await unused(2)).toHaveLength(2);
    expect((await unused(500)).length).toBeGreaterThan(2);
  });

  it("sweep deletes an object after another deletion has ended, and reports a failure", async () => {
    const film = await operator.upload("course-videos", mp4Of(5000));
    app.clock.advance(2 * day);
    await app.sql("create function refuse() returns trigger language plpgsql as $$ begin raise 'broken'; end $$");
    await app.sql("create trigger refuse before delete on stored_objects for each row execute function refuse()");
    await expect(sweepNow()).rejects.toThrow("Failed query");
    await app.sql("drop function refuse cascade");
    expect(await left(film)).toEqual(["row", "bytes"]);
    const deletion = { text: "select pg_advisory_xact_lock_shared($1)", values: [lockKeys.objectDeletion] };
    await behindTransaction(app, deletion, () => sweepNow());
    expect(await left(film)).toEqual([]);
  });

  it("sweeps on after a file that cannot be removed, and reports it", async () => {
    const films = [await operator.upload("course-videos", mp4Of(5000)), await operator.upload("course-videos", mp4Of(5000))];
    app.clock.advance(2 * day);
    const { objects } = app.deps;
    const { remove } = objects;
    onTestFinished(() => void (objects.remove = remove));
    objects.remove = (id) => (id === films[0] ? Promise.reject(new Error("immutable")) : remove.call(objects, id));
    await expect(sweepNow()).rejects.toThrow("immutable");
    expect(await Promise.all(films.map(left))).toEqual([["bytes"], []]);
    objects.remove = () => Promise.reject(new Error("outage"));
    const more = [];
    // The session from before has ended.
    operator = uploader(app, await admin(app));
    for (let count = 0; count < 7; count += 1) more.push(await operator.upload("course-videos", mp4Of(5000)));
    app.clock.advance(2 * day);
    await expect(sweepNow()).rejects.toThrow("outage");
    expect((await Promise.all(more.map(left))).filter((files) => files.includes("row"))).toHaveLength(2);
    objects.remove = remove;
    await sweepNow();
    await sweepNow();
    expect((await Promise.all([...films, ...more].map(left))).flat()).toEqual([]);
  });

  it("sweeps on after a full batch, and ends when nothing of it can be removed", async () => {
    const film = await operator.upload("course-videos", mp4Of(5000));
    await attach(film);
    const batches = [Array.from({ length: 500 }, () => randomUUID()), Array<string>(500).fill(film)];
    const asked: number[] = [];
    const bucket = {
      ...videoBucket(app.deps.config),
      unused: (_connection: unknown, _before: Date, limit: number) => {
        asked.push(limit);
        return Promise.resolve(batches.shift() ?? []);
      },
    };
    await sweepNow({ buckets: [bucket] });
    expect(asked).toEqual([500, 500]);
    expect(await left(film)).toEqual(["row", "bytes"]);
  });

  it("sweep removes bytes without a row, and no foreign file", async () => {
    const id = randomUUID();
    await writeFile(join(folder(), id), "left by a crash");
    await writeFile(join(folder(), "README"), "not ours");
    app.clock.advance(2 * day);
    await sweepNow();
    expect(await left(id)).toEqual([]);
    expect(await readdir(folder())).toContain("README");
  });

  // FILE-7
  it("sweep keeps files that are older than the database, which may be another site's", async () => {
    const [older, newer] = [randomUUID(), randomUUID()];
    for (const id of [older, newer]) await writeFile(join(folder(), id), "of another database");
    const own = idOf((await owner.start("payment-screenshots", 9000)).headers.get("location") ?? "");
    const before = secondsAfter(await databaseMadeAt(app.deps.db), -1);
    for (const name of [older, `${own}.part`]) await utimes(join(folder(), name), before, before);
    app.clock.advance(2 * day);
    await sweepNow();
    expect([await left(older), await left(newer), await left(own)]).toEqual([["bytes"], [], []]);
    await rm(join(folder(), older));
  });

  it.skipIf(!hasS3Server)("sweep keeps objects of a bucket that are older than the database", async () => {
    const server = await startS3Server();
    const site = await startApp({ environment: server.environment });
    onTestFinished(async () => {
      await site.close();
      await server.close();
    });
    const { db, objects } = site.deps;
    const id = randomUUID();
    await objects.put(id, Buffer.from("of another database"));
    site.clock.advance(2 * day);
    const sweepBucket = () => sweepNow({ db, clock: site.clock, objects, buckets: [] });
    await site.sql("update schema_migrations set applied_at = now() + interval '1 hour'");
    await sweepBucket();
    expect(await objects.size(id)).toBe(19);
    await site.sql("update schema_migrations set applied_at = now() - interval '1 hour' where name like '0001%'");
    await sweepBucket();
    expect(await objects.size(id)).toBeUndefined();
  });

  it("sweep never removes the object of a video that is added meanwhile", async () => {
    const [added, adding] = [
      await operator.upload("course-videos", mp4Of(5000)),
      await operator.upload("course-videos", mp4Of(5000)),
    ];
    app.clock.advance(2 * day);
    const videos = videoBucket(app.deps.config);
    const chosen: string[] = [];
    const bucket = {
      ...videos,
      unused: async (...given: Parameters<typeof videos.unused>) => {
        const ids = await videos.unused(...given);
        chosen.push(...ids);
        if (ids.includes(added)) await attach(added);
        return ids;
      },
    };
    await behindTransaction(app, attaching(adding), () => sweepNow({ buckets: [bucket] }));
    expect(chosen).toEqual(expect.arrayContaining([added, adding]));
    for (const film of [added, adding]) expect(await left(film)).toEqual(["row", "bytes"]);
    const orphans = await app.sql(
      "select 1 from videos where object_id is not null and object_id not in (select id from stored_objects)",
    );
    expect(orphans).toEqual([]);
  });
});
