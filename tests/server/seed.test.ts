import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Attachment, Video } from "#domain/api/course/videos";
import { parseCaptions } from "#domain/materials/srt";
import { writeWebVtt } from "#domain/materials/webvtt";
import { sampleWalletSettings } from "#domain/payment-methods/sample";
import { moduleNames } from "#domain/texts/texts";
import { videoBucket } from "#server/features/videos/bucket";
import { startEmbeddedPostgres } from "#server/platform/db/embedded/supervisor";
import { addSampleCourse, type SampleCourseResult } from "#server/sample-course";
import { startApp, type TestApp } from "../support/app.ts";
import { filmJobOf } from "../support/films/job.ts";
import { admin, student } from "../support/people.ts";
import { scratchDatabase } from "../support/database/scratch-database.ts";
import { storeWith } from "../support/store-with.ts";
import { bundleCommands, type Commands } from "../support/sites/commands.ts";

const project = resolve(import.meta.dirname, "../..");
const samplesDir = join(project, "samples");

interface Lesson {
  module: string;
  order_index: number;
  title: string;
  package_type: string;
  video: string;
}
const { lessons } = JSON.parse(await readFile(join(samplesDir, "course.json"), "utf8")) as { lessons: Lesson[] };
const film = (name: string): Promise<Buffer> => readFile(join(samplesDir, "videos", name));

const seed = (app: TestApp, objects = app.deps.objects): Promise<SampleCourseResult> => {
  const { db, clock, config } = app.deps;
  return addSampleCourse({ db, clock, objects, bucket: videoBucket(config), samplesDir });
};

describe("seeding", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it("adds every lesson once, also when two runs seed at once into a slow store", async () => {
    const { objects } = app.deps;
    let puts = 0;
    const put: typeof objects.put = async (id, bytes) => {
      // Each for longer than a transaction may stand still elsewhere, together for longer than it may wait for a lock.
      if ((puts += 1) <= 2) await app.sql("select pg_sleep(6)");
      await objects.put(id, bytes);
    };
    const slow = storeWith(objects, { put });
    const results = await Promise.all([seed(app, slow), seed(app, slow)]);
    expect(results.map(({ added }) => added).toSorted((a, b) => a - b)).toEqual([0, lessons.length]);
    expect(results.filter(({ walletSet }) => walletSet)).toHaveLength(1);
  });

  it("adds two weekly live sessions", async () => {
    const { body } = await (await student(app)).call("GET", "/api/live-sessions");
    expect(body.items).toMatchObject([{ weekly: true }, { weekly: true }]);
    for (const { next_starts_at } of body.items) expect(Date.parse(next_starts_at)).toBeGreaterThan(0);
  });

  it("changes nothing the second time", async () => {
    const state = () => app.sql("select * from videos v join stored_objects o on o.id = v.object_id order by v.id");
    const before = await state();
    expect(await seed(app)).toEqual({
      added: 0,
      alreadyThere: lessons.length,
      liveSessionsAdded: 0,
      walletSet: false,
    });
    expect(await state()).toEqual(before);
    expect(before).toHaveLength(lessons.length);
  });

  it("adds films that play like uploaded ones, for the tiers they belong to", async () => {
    const [unpaid, advanced] = [await student(app), await student(app, "advanced")];
    const list = (await advanced.call("GET", "/api/videos?limit=100")).body.items as (Lesson & {
      id: string;
      source: string;
    })[];
    expect(list.map(({ source }) => source)).toEqual(lessons.map(() => "upload"));
    for (const { id, title, package_type } of list) {
      expect((await unpaid.call("POST", `/api/videos/${id}/play`)).status).toBe(package_type === "both" ? 200 : 403);
      const { body } = await advanced.call("POST", `/api/videos/${id}/play`);
      const reply = await fetch(new URL(body.url, app.url));
      const lesson = lessons.find((one) => one.title === title)!;
      expect(reply.headers.get("content-type")).toBe("video/mp4");
      expect(Buffer.from(await reply.arrayBuffer()).equals(await film(lesson.video))).toBe(true);
    }
  });

  // FILE-13, FILE-14, FILE-15
  it("adds a poster to each lesson, captions in two languages and a table to save", async () => {
    const unpaid = await student(app);
    const list = (await unpaid.call("GET", "/api/videos?limit=100")).body.items as Video[];
    for (const { poster_url } of list) {
      const reply = await fetch(app.url + poster_url);
      expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "image/webp"]);
    }
    const captions = list.flatMap((video) => video.captions);
    expect(captions.map(({ language, label }) => `${language} ${label}`)).toEqual([
      "en English",
      "th ไทย",
      "en English",
      "th ไทย",
    ]);
    for (const { url } of captions) {
      const text = await (await fetch(app.url + url)).text();
      expect(text).toBe(writeWebVtt(parseCaptions(text)));
    }
    const lesson = list.find(({ attachments }) => attachments.length > 0)!;
    const [{ id, filename, content_type }] = lesson.attachments as [Attachment];
    expect([filename, content_type]).toEqual(["pip-values.csv", "text/csv"]);
    const { body } = await unpaid.call("POST", `/api/videos/${lesson.id}/attachments/${id}/open`);
    expect(await (await fetch(body.url)).text()).toContain("0.10,10000,1.00,20");
  });

  it("adds films whose length is known once the site has read them", async () => {
    const { job, errors, close } = filmJobOf(app);
    await job.run();
    await close();
    const { items } = (await (await admin(app)).call("GET", "/api/videos?limit=100")).body;
    expect(items.map((video: any) => [video.duration_seconds, video.playability])).toEqual(lessons.map(() => [8, "plays"]));
    expect(errors).toEqual([]);
  });

  it("adds again what was deleted, and only that", async () => {
    const owner = await admin(app);
    const [first] = (await owner.call("GET", "/api/videos?limit=1")).body.items;
    await owner.call("DELETE", `/api/videos/${first.id}`);
    expect(await seed(app)).toEqual({
      added: 1,
      alreadyThere: lessons.length - 1,
      liveSessionsAdded: 0,
      walletSet: false,
    });
  });

  it("orders the modules for a course, and leaves an order that is set", async () => {
    const owner = await admin(app);
    const modules = async (): Promise<unknown[]> =>
      (await app.sql<{ module: string }>("select module from module_order order by position")).map(({ module }) => module);
    expect(await modules()).toEqual(moduleNames);
    const own = moduleNames.toReversed();
    await owner.call("PUT", "/api/modules/order", { modules: own });
    await seed(app);
    expect(await modules()).toEqual(own);
  });

  it("marks the sample wallet and never replaces one that the admin has set", async () => {
    const owner = await admin(app);
    expect((await owner.call("GET", "/api/wallet-settings")).body).toMatchObject({ ...sampleWalletSettings, is_sample: true });
    await app.sql("update wallet_settings set bitcoin_address = '', ethereum_address = '', is_sample = false");
    await app.sql(
      "update wallet_settings set thai_bank_name = '', thai_bank_account_number = '', thai_bank_account_name = '', promptpay_id = ''",
    );
    await app.sql("update wallet_settings set bitcoin_price_usd = 46000");
    expect((await seed(app)).walletSet).toBe(false);
    await app.sql("update wallet_settings set bitcoin_price_usd = 45000.00");
    expect((await seed(app)).walletSet).toBe(true);
  });

  it("writes the audit log", async () => {
    const rows = await app.sql(
      "select distinct action, actor_email from audit_log where actor_email = 'npm run seed' order by 1",
    );
    expect(rows.map((row) => row["action"])).toEqual([
      "live-session.create",
      "modules.order",
      "video.create",
      "wallet-settings.save",
    ]);
  });
});

describe("npm run seed", () => {
  let commands: Commands;
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "pipwright-seed-"));
    commands = await bundleCommands({ seed: "src/server/commands/seed.ts" });
  });
  afterAll(async () => {
    await commands?.remove();
    await rm(dataDir, { recursive: true, force: true });
  });

  const run = (environment: Record<string, string>) => commands.run("seed", [], { DATA_DIR: dataDir, ...environment });

  it("is refused in production in one line, before it touches anything", async () => {
    const environment = { ADMIN_EMAIL: "owner@example.com", DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" };
    // Settings are trimmed.
    for (const NODE_ENV of ["production", "production "])
      expect(await run({ ...environment, NODE_ENV }), `"${NODE_ENV}"`).toEqual({
        code: 1,
        lines: ["The sample course is for trying out: npm run seed is refused where NODE_ENV is production."],
      });
  });

  it("says in one line when it cannot reach your database", async () => {
    expect(await run({ DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" })).toEqual({
      code: 1,
      lines: [expect.stringContaining("Cannot reach the database")],
    });
  });

  it("fills your own database, migrating it first", async () => {
    const database = await scratchDatabase("empty");
    try {
      const { code, lines } = await run({ DATABASE_URL: database.url });
      expect([code, lines]).toEqual([0, expect.arrayContaining([expect.stringContaining("Added 16")])]);
      const { rows } = await database.client.query("select count(*)::int as n from videos");
      expect(rows).toEqual([{ n: lessons.length }]);
    } finally {
      await database.drop();
    }
  });

  it("seeds the embedded database of a running site, or starts and stops its own", async () => {
    const site = await startEmbeddedPostgres({ dataDir, say: () => {}, settings: { fsync: "off" } });
    const beside = await run({});
    await site.stop();
    expect([beside.code, beside.lines.join("\n")]).toEqual([
      0,
      expect.stringMatching(/The site is running.*Added 16 sample lessons/s),
    ]);
    const alone = await run({});
    expect([alone.code, alone.lines]).toEqual([0, expect.arrayContaining(["16 sample lessons were there already."])]);
    const again = await startEmbeddedPostgres({ dataDir, say: () => {} });
    await again.stop();
  });
});
