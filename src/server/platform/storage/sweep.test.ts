import { readdir, utimes, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { screenshotBucket } from "#server/features/payment-requests/screenshots/bucket";
import { videoBucket } from "#server/features/videos/bucket";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { admin, signIn, student, type Person } from "../../../../tests/support/people.ts";
import { idOf, mp4Of, pngOf, uploader, type Uploader } from "../../../../tests/support/uploads.ts";
import { sweep } from "./sweep.ts";
import { UploadLocks } from "./locks/upload-locks.ts";

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

function sweepNow(): Promise<void> {
  const { db, clock, config, objects, pictures } = app.deps;
  return sweep({
    db,
    clock,
    objects,
    buckets: [screenshotBucket(config, pictures), videoBucket(config)],
    locks,
  });
}

/** What is left of an upload: its row, its bytes, its state. */
async function left(id: string): Promise<string[]> {
  const rows = await app.sql("select 1 from stored_objects where id = $1", [id]);
  const files = (await readdir(folder())).filter((name) => name.startsWith(id)).map((name) => name.replace(id, "bytes"));
  return [...rows.map(() => "row"), ...files.toSorted()];
}

const attach = (id: string): Promise<unknown> =>
  app.sql(
    "insert into videos (title, description, object_id, module, order_index, package_type, created_at) values ('T', 'D', $1, 'M', 1, 'both', now())",
    [id],
  );

describe("the sweep", () => {
  it("sweep removes unused objects after 24 hours, and not before", async () => {
    const screenshot = await owner.upload("payment-screenshots", pngOf(5000));
    const film = await operator.upload("course-videos", mp4Of(5000));
    app.clock.advance(day - 60);
    await sweepNow();
    expect(await left(screenshot)).toEqual(["row", "bytes"]);
    app.clock.advance(120);
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
    const now = app.clock.now();
    await utimes(join(folder(), `${idOf(slow)}.part`), now, now);
    await sweepNow();
    expect(await left(stopped)).toEqual([]);
    expect(await left(idOf(slow))).toEqual(["bytes.part"]);
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

  it("sweep removes bytes without a row, and no foreign file", async () => {
    const id = randomUUID();
    await writeFile(join(folder(), id), "left by a crash");
    await writeFile(join(folder(), "README"), "not ours");
    app.clock.advance(2 * day);
    await sweepNow();
    expect(await left(id)).toEqual([]);
    expect(await readdir(folder())).toContain("README");
  });

  it("sweep never removes the object of a video that is added meanwhile", async () => {
    const films = await Promise.all(Array.from({ length: 20 }, () => operator.upload("course-videos", mp4Of(5000))));
    app.clock.advance(2 * day);
    const attached = films.map((film) =>
      attach(film).then(
        () => film,
        () => undefined,
      ),
    );
    await sweepNow();
    for (const film of await Promise.all(attached)) if (film) expect(await left(film)).toEqual(["row", "bytes"]);
    const orphans = await app.sql(
      "select 1 from videos where object_id is not null and object_id not in (select id from stored_objects)",
    );
    expect(orphans).toEqual([]);
  });
});
