import { resolve } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Video } from "#domain/api/course/videos";
import { videoBucket } from "#server/features/videos/bucket";
import { addSampleCourse } from "#server/sample-course";
import { startApp, type TestApp } from "../support/app.ts";
import { uploadScreenshot } from "../support/payments.ts";
import { admin, student, type Person } from "../support/people.ts";

const samplesDir = resolve(import.meta.dirname, "../../samples");

let app: TestApp;
let operator: Person;
beforeEach(async () => {
  app = await startApp();
  operator = await admin(app);
  const { db, clock, objects, config } = app.deps;
  await addSampleCourse({ db, clock, objects, bucket: videoBucket(config), samplesDir });
});
afterEach(() => app?.close());

const left = async (): Promise<unknown> => (await operator.call("GET", "/api/sample-course")).body;
const remove = () => operator.call("DELETE", "/api/sample-course");
const lessons = async (): Promise<Video[]> => (await operator.call("GET", "/api/videos?limit=100")).body.items;
const countOf = async (table: string): Promise<number> =>
  (await app.sql<{ count: number }>(`select count(*)::integer as count from ${table}`))[0]!.count;

// STATS-9
it("removes the sample course with all of it in one step, with one audit entry", async () => {
  const viewer = await student(app, "advanced");
  const [lesson] = await lessons();
  await viewer.call("PUT", `/api/videos/${lesson!.id}/progress`, { position_seconds: 1, duration_seconds: 8 });
  await viewer.call("POST", "/api/quotes", { package_type: "starter" });
  const stored = await app.sql<{ id: string }>("select id from stored_objects");
  const before = { lessons: (await lessons()).length, live_sessions: 2, wallet: true };
  expect(await left()).toEqual(before);
  const entries = await countOf("audit_log");

  expect(await remove()).toMatchObject({ status: 200, body: before });
  expect(await countOf("audit_log")).toBe(entries + 1);
  for (const table of ["videos", "video_progress", "stored_objects", "live_sessions", "live_occurrences", "module_order"]) {
    expect(await countOf(table), table).toBe(0);
  }
  for (const { id } of stored) expect(await app.deps.objects.size(id)).toBeUndefined();
  const { body: wallet } = await operator.call("GET", "/api/wallet-settings");
  expect(wallet).toMatchObject({ bitcoin_address: "", ethereum_address: "", thai_bank_name: "", is_sample: false });

  expect(await left()).toEqual({ lessons: 0, live_sessions: 0, wallet: false });
  expect((await remove()).body).toEqual({ lessons: 0, live_sessions: 0, wallet: false });
  expect(await countOf("audit_log")).toBe(entries + 1);
});

/** As the seed of release 0.1.0 wrote it: values without `after`, neither poster nor order of modules nor live sessions. */
async function addLessonOf010(): Promise<void> {
  const lesson = { title: "Old", description: "From 0.1.0.", module: "Forex", order_index: 1, package_type: "both" };
  const [object] = await app.sql<{ id: string }>(
    `insert into stored_objects (id, bucket, name, filename, content_type, size, created_at)
     values (gen_random_uuid(), 'course-videos', 'old.mp4', 'old.mp4', 'video/mp4', 1, now()) returning id`,
  );
  await app.sql(
    `with video as (
       insert into videos (title, description, module, order_index, package_type, object_id, created_at)
       select title, description, module, order_index, package_type, object_id, now() from jsonb_populate_record(null::videos, $1)
       returning id
     ) insert into audit_log (at, actor_email, action, subject_type, subject_id, details, ip)
     select now(), 'npm run seed', 'video.create', 'video', id, $1, '' from video`,
    [{ ...lesson, object_id: object!.id }],
  );
}

// STATS-9
it("removes a sample course that release 0.1.0 added", async () => {
  await remove();
  await addLessonOf010();
  await app.sql("update wallet_settings set thai_bank_name = 'Sample Bank of Thailand', is_sample = true");

  expect((await remove()).body).toEqual({ lessons: 1, live_sessions: 0, wallet: true });
  expect(await lessons()).toEqual([]);
  expect(await countOf("stored_objects")).toBe(0);
});

it("leaves what the seller added or changed", async () => {
  const [retitled, moved, ...others] = await lessons();
  const own = { title: "Own", description: "Mine.", module: moved!.module, order_index: 9, package_type: "both" };
  await operator.call("POST", "/api/videos", { ...own, video_url: "https://films.example/own" });
  await operator.call("PATCH", `/api/videos/${retitled!.id}`, { title: "Another title" });
  await operator.call("PATCH", `/api/videos/${moved!.id}`, { order_index: 7 });
  await operator.call("DELETE", `/api/videos/${others[0]!.id}/poster`);
  const { body: sessions } = await operator.call("GET", "/api/live-sessions");
  await operator.call("PATCH", `/api/live-sessions/${sessions.items[0].id}`, { title: "My evening" });
  await operator.call("PUT", "/api/coin-prices/bitcoin", { usd: "64000" });
  await app.sql("update wallet_settings set bitcoin_address = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', is_sample = false");

  expect((await remove()).body).toEqual({ lessons: others.length, live_sessions: 1, wallet: false });
  expect((await lessons()).map(({ title }) => title).toSorted()).toEqual(["Another title", "Own", others[0]!.title].toSorted());
  expect((await operator.call("GET", "/api/live-sessions")).body.items.map(({ title }: Video) => title)).toEqual([
    "My evening",
  ]);
  const [wallet] = await app.sql("select bitcoin_address from wallet_settings");
  expect(wallet).toEqual({ bitcoin_address: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq" });
});

it("two removals at once remove everything once", async () => {
  const count = (await lessons()).length;
  const removed = await Promise.all([remove(), remove()]);
  expect(removed.map(({ body }) => body.lessons).toSorted((a, b) => a - b)).toEqual([0, count]);
});

it("ends open quotes of sample addresses", async () => {
  const buyer = await student(app);
  const { body: quote } = await buyer.call("POST", "/api/quotes", { package_type: "starter" });
  await remove();
  const payment = { quote_id: quote.id, crypto_type: "bitcoin", upload_id: await uploadScreenshot(buyer), consent: true };
  const answer = await buyer.call("POST", "/api/payment-requests", payment, { "idempotency-key": "key" });
  expect(answer).toMatchObject({ status: 409, body: { code: "quote_void" } });
});
