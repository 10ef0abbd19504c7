import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startApp } from "../../../../tests/support/app.ts";
import { startCourse, type Course } from "../../../../tests/support/course/start-course.ts";
import { admin, signIn, student, type Person } from "../../../../tests/support/people.ts";
import { sharingDays, unusualFrom } from "#domain/playback/sharing";
import { RetentionJob } from "#server/platform/retention/job";
import { removals } from "#server/removals";

let course: Course;
let filmId: string;
beforeAll(async () => {
  course = await startCourse();
  filmId = (await course.add({ upload_id: await course.uploadFilm(9000), package_type: "both" })).id;
});
beforeEach(() => course.app.sql("delete from playing_days"));
afterAll(() => course?.app.close());

const day = 24 * 3600;
/** By a new session, since tests move the clock by weeks. */
const sharing = async (query = ""): Promise<any> => (await (await admin(course.app)).call("GET", `/api/sharing${query}`)).body;

/** Plays as browsers do, `times` with another device and another network each. */
async function playFromAfar(someone: Person, times: number): Promise<void> {
  const beside = await startApp({ beside: course.app, environment: { TRUST_PROXY: "on" } });
  try {
    for (let count = 0; count < times; count++) {
      const headers = {
        authorization: `Bearer ${someone.accessToken}`,
        cookie: `device=${`device${count}`.padEnd(22, "0")}.x.y`,
        origin: beside.url,
        "x-forwarded-for": `198.51.${count}.7`,
      };
      const reply = await fetch(`${beside.url}/api/videos/${filmId}/play`, { method: "POST", headers });
      expect(reply.status).toBe(200);
    }
  } finally {
    await beside.close();
  }
}

/** The day by the app's clock, which tests move. */
const today = (): string => course.app.clock.now().toISOString().slice(0, 10);

/** Inserts days of playing as they would be after so many networks. */
const insertNetworks = (id: string, networks: number): Promise<unknown> =>
  course.app.sql(
    `insert into playing_days select $1, $3, sha256(n::text::bytea), '\\x00', 0 from generate_series(1, $2::int) n`,
    [id, networks, today()],
  );

// DEVICE-5.
it("lists no student who plays on few devices, and never the admin", async () => {
  await playFromAfar(course.starter, unusualFrom.devices - 1);
  await playFromAfar(course.operator, unusualFrom.devices + 1);
  expect(await sharing()).toEqual({ items: [], next_cursor: null });
});

it("lists a student who plays on many devices, with networks and devices", async () => {
  await playFromAfar(course.starter, unusualFrom.devices);
  await playFromAfar(course.starter, unusualFrom.devices);
  expect((await sharing()).items).toEqual([
    {
      user_id: course.starter.id,
      email: course.starter.email,
      full_name: "Somchai Student",
      networks: unusualFrom.devices,
      devices: unusualFrom.devices,
      displaced: 0,
      signs: ["devices"],
      last_played_on: today(),
    },
  ]);
});

it("counts how often one device took the place of another", async () => {
  const someone = await student(course.app, "starter");
  const four = await Promise.all([1, 2, 3, 4].map(() => signIn(course.app, someone.email, someone.password)));
  const plays = unusualFrom.displaced + 2;
  for (let count = 0; count < plays; count++) {
    course.app.clock.advance(1);
    await four[count % 4]!.call("POST", `/api/videos/${filmId}/play`);
  }
  expect((await sharing()).items).toMatchObject([
    { user_id: someone.id, displaced: unusualFrom.displaced, signs: ["displaced"] },
  ]);
});

it("lists the most unusual students first, page after page", async () => {
  const ids: string[] = [];
  for (const networks of [1, 3, 2, 2]) {
    const { id } = await student(course.app);
    await insertNetworks(id, unusualFrom.networks * networks);
    ids.push(id);
  }
  const [last, first, ...same] = ids as [string, string, string, string];
  const expected = [first, ...same.toSorted(), last];

  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await sharing(`?limit=1${cursor === null ? "" : `&cursor=${cursor}`}`);
    seen.push(...page.items.map((item: { user_id: string }) => item.user_id));
    cursor = page.next_cursor;
    expect(seen.length).toBeLessThanOrEqual(expected.length);
  } while (cursor !== null);
  expect(seen).toEqual(expected);
  expect((await course.operator.call("GET", "/api/sharing?cursor=x")).status).toBe(400);
});

it("counts 30 days of playing and keeps nothing older", async () => {
  await playFromAfar(course.starter, unusualFrom.devices);
  course.app.clock.advance((sharingDays - 1) * day);
  expect((await sharing()).items).toHaveLength(1);
  course.app.clock.advance(day);
  expect((await sharing()).items).toHaveLength(0);
  course.app.clock.advance(day);
  await new RetentionJob({ db: course.app.deps.db, clock: course.app.clock, removals }).run();
  expect(await course.app.sql("select 1 from playing_days")).toEqual([]);
});

it("stores networks and devices as hashes that differ between students", async () => {
  const [one, other] = [await student(course.app), await student(course.app)];
  await playFromAfar(one, 1);
  await playFromAfar(other, 1);
  const rows = await course.app.sql<{ network_hash: Buffer; device_hash: Buffer }>("select * from playing_days");
  const hashes = rows.flatMap((row) => [row.network_hash, row.device_hash]).map((hash) => hash.toString("hex"));
  expect(new Set(hashes).size).toBe(4);
  expect(hashes.every((hash) => hash.length === 64)).toBe(true);
});

it("deletes the days of playing with the account", async () => {
  const someone = await student(course.app);
  await insertNetworks(someone.id, 1);
  await (await admin(course.app)).call("DELETE", `/functions/v1/admin-users?userId=${someone.id}`);
  expect(await course.app.sql("select 1 from playing_days")).toEqual([]);
});
