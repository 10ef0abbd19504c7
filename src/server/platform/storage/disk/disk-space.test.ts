import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { readdir, rename } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { pay, setUpWallets, uploadScreenshot } from "../../../../../tests/support/payments.ts";
import { admin, outcome, student, unverifiedStudent, type Answer, type Person } from "../../../../../tests/support/people.ts";
import { mp4Of, pngOf, uploader } from "../../../../../tests/support/uploads.ts";
import { systemClock } from "../../clock.ts";
import { diskReserve, type DiskUsage } from "./disk-space.ts";
import { openDiskStore } from "./disk-store.ts";

const MB = 1024 ** 2;
const GB = 1024 ** 3;
const plenty: DiskUsage = { free: 500 * GB, total: 1000 * GB };
const withRoom = (bytes: number): DiskUsage => ({ free: GB + bytes, total: 1000 * GB });

let app: TestApp;
let usage: () => DiskUsage = () => plenty;

beforeAll(async () => {
  app = await startApp({ readDisk: async () => usage(), environment: { MAX_SCREENSHOT_BYTES: String(20 * MB) } });
});
afterAll(() => app?.close());
afterEach(() => {
  usage = () => plenty;
  app.clock.advance(2);
});

const folder = (): string => join(app.deps.config.files.dataDir, "objects");

function form(bytes: Buffer): FormData {
  const data = new FormData();
  data.set("file", new Blob([new Uint8Array(bytes)], { type: "image/png" }), "paid.png");
  return data;
}
const postForm = (who: Person, bytes: Buffer): Promise<Answer> =>
  who.call("POST", "/storage/v1/object/payment-screenshots", form(bytes));

function expectNoSpace({ status, headers, body }: Answer): void {
  expect([status, body.code, headers.get("retry-after")]).toEqual([503, "insufficient_storage", "60"]);
}

async function expectNothingLeft(who: Person): Promise<void> {
  expect(await readdir(folder())).toEqual([]);
  expect(await app.sql("select 1 from unfinished_uploads where owner_id = $1", [who.id])).toEqual([]);
}

describe("a disk that fills up", () => {
  it("the reserve is 5 % of the disk, at least 64 MB and at most 1 GB", () => {
    expect([diskReserve(200 * MB), diskReserve(10 * GB), diskReserve(4000 * GB)]).toEqual([64 * MB, 0.5 * GB, GB]);
  });

  it("refuses an upload whose length does not fit beside the reserve", async () => {
    const buyer = await student(app);
    usage = () => withRoom(3 * MB);
    expectNoSpace(await uploader(app, buyer).start("payment-screenshots", 4 * MB));
    expectNoSpace(await postForm(buyer, pngOf(4 * MB)));
    await expectNothingLeft(buyer);
    expect((await uploader(app, buyer).start("payment-screenshots", 2 * MB)).status).toBe(201);
    await app.sql("delete from unfinished_uploads");
    await Promise.all((await readdir(folder())).map((name) => app.deps.objects.remove(name.replace(".part", ""))));
  });

  // FILE-18, RUN-2
  it("refuses a picture for a bucket at once where it could not be fetched", async () => {
    const s3 = { S3_ENDPOINT: "http://127.0.0.1:9", S3_REGION: "a", S3_ACCESS_KEY_ID: "a", S3_SECRET_ACCESS_KEY: "b" };
    const site = await startApp({ readDisk: async () => usage(), environment: { ...s3, S3_BUCKET: "course-files" } });
    const [operator, buyer] = [await admin(site), await student(site)];
    usage = () => withRoom(3 * MB);
    expectNoSpace(await uploader(site, buyer).start("payment-screenshots", 4 * MB));
    expectNoSpace(await postForm(buyer, pngOf(4 * MB)));
    // Not fetched, and the store that would take it is away.
    expect(outcome(await uploader(site, operator).start("course-videos", 4 * MB))).toEqual([503, "unavailable"]);
    const lesson = {
      title: "A",
      description: "D",
      module: "B",
      order_index: 1,
      package_type: "starter",
      video_url: "https://films.example/x",
    };
    const { id } = (await operator.call("POST", "/api/videos", lesson)).body;
    usage = () => withRoom(0);
    site.clock.advance(2);
    expectNoSpace(await operator.call("PUT", `/api/videos/${id}/poster`, form(pngOf(1000))));
    const { failing } = (await (await fetch(`${site.url}/readyz`)).json()) as { failing: unknown };
    expect(failing).toContainEqual({ part: "disk", reason: "at_reserve" });
    await site.close();
  });

  it.each<[string, () => DiskUsage]>([
    ["reaches the reserve", () => withRoom(0)],
    [
      "has no space at all",
      () => {
        throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
      },
    ],
    [
      "is at its quota",
      () => {
        // Node.js has no name for it.
        const errno = -constants.errno.EDQUOT;
        throw Object.assign(new Error("quota exceeded"), { code: `Unknown system error ${errno}`, errno });
      },
    ],
  ])("removes the part of an upload when the disk %s", async (_what, full) => {
    const operator = await admin(app);
    const bytes = mp4Of(8 * MB);
    const started = await uploader(app, operator).start("course-videos", bytes.length);
    usage = full;
    app.clock.advance(2);
    expectNoSpace(await uploader(app, operator).patch(started.headers.get("location") ?? "", 0, bytes));
    await expectNothingLeft(operator);
  });

  it("removes the part of a form when the disk fills up", async () => {
    const buyer = await student(app);
    usage = () => {
      usage = () => withRoom(0);
      setImmediate(() => app.clock.advance(2));
      return withRoom(4 * MB);
    };
    expectNoSpace(await postForm(buyer, pngOf(3 * MB)));
    await expectNothingLeft(buyer);
  });

  it("/readyz reports a disk at its reserve, and a missing folder", async () => {
    const readyz = async (): Promise<unknown[]> => {
      const reply = await fetch(`${app.url}/readyz`);
      return [reply.status, ((await reply.json()) as { failing?: unknown }).failing];
    };
    expect(await readyz()).toEqual([200, undefined]);
    usage = () => withRoom(-1);
    expect(await readyz()).toEqual([503, [{ part: "disk", reason: "at_reserve" }]]);
    usage = () => plenty;
    await rename(folder(), `${folder()}-moved`);
    expect(await readyz()).toEqual([503, [{ part: "storage", reason: "missing" }]]);
    await rename(`${folder()}-moved`, folder());
    expect(await readyz()).toEqual([200, undefined]);
  });
});

describe("unfinished uploads", () => {
  it("limits unfinished uploads of one student to 200 MB, also when begun at once", async () => {
    const buyer = await student(app);
    const begun = await Promise.all(
      Array.from({ length: 14 }, () => uploader(app, buyer).start("payment-screenshots", 20 * MB - 1)),
    );
    const refused = begun.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(4);
    for (const answer of refused) expect(outcome(answer)).toEqual([429, "uploads_unfinished"]);
    expect(refused[0]?.headers.get("retry-after")).toBe("3600");
    expect((await postForm(buyer, pngOf(5000))).body.code).toBe("uploads_unfinished");

    const location = begun.find(({ status }) => status === 201)?.headers.get("location") ?? "";
    expect((await uploader(app, buyer).remove(location)).status).toBe(204);
    expect((await postForm(buyer, pngOf(5000))).status).toBe(201);
    expect((await postForm(await student(app), pngOf(5000))).status).toBe(201);
  });

  it("counts a student's finished screenshots too until they are submitted", async () => {
    await setUpWallets(await admin(app));
    const buyer = await student(app);
    const upload_id = await uploadScreenshot(buyer);
    // As if it were nearly as long as the limit.
    await app.sql("update stored_objects set size = $2 where id = $1", [upload_id, 190 * MB]);
    const start = () => uploader(app, buyer).start("payment-screenshots", 20 * MB - 1);
    expect(outcome(await start())).toEqual([429, "uploads_unfinished"]);
    expect((await postForm(buyer, pngOf(5000))).status).toBe(201);
    expect((await pay(buyer, { extra: { upload_id } })).status).toBe(201);
    expect((await start()).status).toBe(201);
  });

  it("lets the admin have far larger unfinished uploads", async () => {
    const operator = uploader(app, await admin(app));
    const statuses = await Promise.all(Array.from({ length: 3 }, () => operator.start("course-videos", 4 * GB)));
    expect(statuses.map(({ status }) => status)).toEqual([201, 201, 201]);
  });

  it("finished uploads do not count as unfinished", async () => {
    const buyer = await student(app);
    await uploader(app, buyer).upload("payment-screenshots", pngOf(MB));
    expect(await app.sql("select 1 from unfinished_uploads where owner_id = $1", [buyer.id])).toEqual([]);
  });
});

/** A real disk of a few megabytes, where this account may mount one. */
function mountSmallDisk(): string | undefined {
  const path = mkdtempSync(join(tmpdir(), "pipwright-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=6m", "tmpfs", path], { stdio: "ignore" });
    return path;
  } catch {
    rmSync(path, { recursive: true });
    return undefined;
  }
}

const smallDisk = mountSmallDisk();
afterAll(() => {
  if (smallDisk === undefined) return;
  execFileSync("umount", [smallDisk]);
  rmSync(smallDisk, { recursive: true });
});

it.runIf(smallDisk)("a full disk returns 503, keeps nothing, and the site goes on", async () => {
  const objects = await openDiskStore(smallDisk!, systemClock, async () => plenty);
  const full = await startApp({ parts: { objects } });
  try {
    const operator = await admin(full);
    const bytes = mp4Of(12 * MB);
    for (let round = 0; round < 2; round += 1) {
      const started = await uploader(full, operator).start("course-videos", bytes.length);
      expectNoSpace(await uploader(full, operator).patch(started.headers.get("location") ?? "", 0, bytes));
      expect(await readdir(join(smallDisk!, "objects"))).toEqual([]);
    }
    expectNoSpace(await postForm(await student(full), pngOf(9 * MB)));
    expect(await readdir(join(smallDisk!, "objects"))).toEqual([]);
    await unverifiedStudent(full);
    expect((await postForm(await student(full), pngOf(MB))).status).toBe(201);
  } finally {
    await full.close();
  }
});

it.runIf(smallDisk)("the readiness check reports a read-only disk as unwritable", async () => {
  const objects = await openDiskStore(smallDisk!, systemClock, async () => plenty);
  const reason = () => objects.readiness.find(({ name }) => name === "storage")!.check();
  const remount = (mode: string): void => void execFileSync("mount", ["-o", `remount,${mode}`, smallDisk!]);
  expect(await reason()).toBeUndefined();
  remount("ro");
  try {
    expect(await reason()).toBe("unwritable");
    await expect(objects.begin(randomUUID())).rejects.toThrow("EROFS");
  } finally {
    remount("rw");
  }
  expect(await reason()).toBeUndefined();
});
