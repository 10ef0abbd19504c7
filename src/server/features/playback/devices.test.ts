// Over 250 lines: every rule of devices that play is tried on the same films, signed in several times.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { startCourse, type Course } from "../../../../tests/support/course/start-course.ts";
import { behindTransaction } from "../../../../tests/support/database/behind-transaction.ts";
import { sessionIdOf, signIn, student, type Person } from "../../../../tests/support/people.ts";
import { clockToleranceSeconds } from "#domain/clock-tolerance";
import { checkRange, idleSeconds, signSeconds } from "#domain/playback/devices";

let course: Course;
let app: TestApp;
let filmId: string;
let otherFilmId: string;
let outsideFilmId: string;
beforeAll(async () => {
  course = await startCourse();
  ({ app } = course);
  filmId = (await course.add({ upload_id: await course.uploadFilm(9000), package_type: "starter" })).id;
  otherFilmId = (await course.add({ upload_id: await course.uploadFilm(8000), package_type: "starter" })).id;
  outsideFilmId = (await course.add({ package_type: "starter" })).id;
});
afterAll(() => course?.app.close());

/** A student signed in on some devices. */
async function devices(count: number): Promise<Person[]> {
  const someone = await student(app, "starter");
  return Promise.all(Array.from({ length: count }, () => signIn(app, someone.email, someone.password)));
}

async function play(device: Person, id = filmId): Promise<string> {
  const { status, body } = await device.call("POST", `/api/videos/${id}/play`);
  expect(status).toBe(200);
  return body.url;
}

async function nextRange(url: string): Promise<number | string> {
  const reply = await fetch(url, { headers: { range: "bytes=10-19" } });
  return reply.ok ? reply.status : ((await reply.json()) as { code: string }).code;
}

const save = (device: Person, id = filmId) =>
  device.call("PUT", `/api/videos/${id}/progress`, { position_seconds: 5, duration_seconds: 100 });

const lastSign = async (device: Person): Promise<number> => {
  const [row] = await app.sql<{ played_at: Date }>("select played_at from playing_sessions where session_id = $1", [
    sessionIdOf(device),
  ]);
  return row!.played_at.getTime();
};

// DEVICE-1.
describe("devices of a student that play at once", () => {
  it("lets two devices play, and displaces the one with the oldest sign of playing", async () => {
    const [phone, laptop, tablet] = (await devices(3)) as [Person, Person, Person];
    const phoneLink = await play(phone);
    const laptopLink = await play(laptop);
    app.clock.advance(signSeconds);
    // The phone plays on, the laptop does not.
    expect(await nextRange(phoneLink)).toBe(206);
    const tabletLink = await play(tablet);
    expect(await Promise.all([phoneLink, laptopLink, tabletLink].map(nextRange))).toEqual([206, "playing_elsewhere", 206]);
  });

  it("lets devices take turns when each asks to watch again", async () => {
    const [phone, laptop, tablet] = (await devices(3)) as [Person, Person, Person];
    const links = [await play(phone)];
    for (const device of [laptop, tablet]) {
      app.clock.advance(1);
      links.push(await play(device));
    }
    app.clock.advance(1);
    await play(phone);
    expect(await Promise.all(links.map(nextRange))).toEqual([206, "playing_elsewhere", 206]);
  });

  it("counts a device once, however many films and tabs it plays", async () => {
    const [phone, laptop] = (await devices(2)) as [Person, Person];
    const links = [await play(laptop)];
    for (const id of [filmId, otherFilmId, filmId]) {
      app.clock.advance(1);
      links.push(await play(phone, id));
    }
    expect(await Promise.all(links.map(nextRange))).toEqual([206, 206, 206, 206]);
  });

  it("lets two devices play when nine ask at once in two processes", async () => {
    const beside = await startApp({ beside: app });
    try {
      const nine = await devices(9);
      const ask = async (device: Person, site: TestApp): Promise<string> => {
        const headers = { authorization: `Bearer ${device.accessToken}` };
        const reply = await fetch(`${site.url}/api/videos/${filmId}/play`, { method: "POST", headers });
        return ((await reply.json()) as { url: string }).url;
      };
      const links = await Promise.all(nine.map((device, index) => ask(device, index % 2 === 0 ? app : beside)));
      const read = await Promise.all(links.map(nextRange));
      expect(read.filter((result) => result === 206)).toHaveLength(2);
      expect(read.filter((result) => result === "playing_elsewhere")).toHaveLength(7);
    } finally {
      await beside.close();
    }
  });

  it("takes no place by checking a link, which a paused page does at every change", async () => {
    const [phone, laptop, tablet] = (await devices(3)) as [Person, Person, Person];
    const phoneLink = await play(phone);
    app.clock.advance(idleSeconds + 1);
    const laptopLink = await play(laptop);
    const tabletLink = await play(tablet);
    const check = await fetch(phoneLink, { headers: { range: checkRange } });
    expect([check.status, await nextRange(laptopLink), await nextRange(tabletLink)]).toEqual([206, 206, 206]);
    // It reads on, and there is no room. With `If-Range` the whole film may be sent.
    const whole = await fetch(phoneLink, { headers: { range: checkRange, "if-range": '"other"' } });
    expect([whole.status, await nextRange(phoneLink)]).toEqual([403, "playing_elsewhere"]);
    const checkOfDisplaced = await fetch(phoneLink, { headers: { range: checkRange } });
    expect(await checkOfDisplaced.json()).toMatchObject({ code: "playing_elsewhere" });
  });

  it("notifies a displaced page at once by its event stream, and no other", async () => {
    const [phone, laptop, tablet] = (await devices(3)) as [Person, Person, Person];
    await play(phone);
    app.clock.advance(1);
    await play(laptop);
    const streams = await Promise.all(
      [phone, laptop].map((device) =>
        fetch(`${app.url}/api/events`, { headers: { authorization: `Bearer ${device.accessToken}` } }),
      ),
    );
    await play(tablet);
    // Ends both streams, so that all of their text can be read.
    for (const device of [phone, laptop]) await device.call("POST", "/auth/v1/logout?scope=local");
    const [told, untold] = await Promise.all(streams.map((stream) => stream.text()));
    expect(told).toContain("event: playback");
    expect(untold).not.toContain("event: playback");
  });

  it("limits no devices of the admin, nor for screenshots and outside films", async () => {
    const operators = await Promise.all([1, 2, 3].map(() => signIn(app, course.operator.email, course.operator.password)));
    const links = await Promise.all(operators.map((operator) => play(operator)));
    expect(await Promise.all(links.map(nextRange))).toEqual([206, 206, 206]);

    const [phone, laptop, tablet] = (await devices(3)) as [Person, Person, Person];
    const link = await play(phone);
    await Promise.all([play(laptop, outsideFilmId), play(tablet, outsideFilmId)]);
    expect(await nextRange(link)).toBe(206);
  });

  it.each([
    ["0", ["206", "206", "206"], 0],
    ["1", ["playing_elsewhere", "playing_elsewhere", "206"], 2],
  ])("lets as many devices play as MAX_DEVICES=%s allows", async (MAX_DEVICES, expected, displaced) => {
    const beside = await startApp({ beside: app, environment: { MAX_DEVICES } });
    try {
      const links: string[] = [];
      const three = await devices(3);
      for (const device of three) {
        const headers = { authorization: `Bearer ${device.accessToken}` };
        const reply = await fetch(`${beside.url}/api/videos/${filmId}/play`, { method: "POST", headers });
        links.push(((await reply.json()) as { url: string }).url);
      }
      const countDisplaced = "select sum(displaced)::int as displaced from playing_days where account_id = $1";
      expect(await app.sql(countDisplaced, [three[0]!.id])).toEqual([{ displaced }]);
      // At once, and again after a pause.
      for (const passed of [0, idleSeconds]) {
        beside.clock.advance(passed);
        expect((await Promise.all(links.map(nextRange))).map(String)).toEqual(expected);
      }
    } finally {
      await beside.close();
    }
  });
});

// DEVICE-2.
describe("a device that no longer plays", () => {
  it("frees the place of a device after two minutes without a range", async () => {
    const [phone, laptop, tablet] = (await devices(3)) as [Person, Person, Person];
    const links = [await play(phone), await play(laptop)];
    app.clock.advance(idleSeconds);
    links.push(await play(tablet));
    expect(await nextRange(links[0]!)).toBe(206);
    expect(await nextRange(links[2]!)).toBe(206);
    // Now two play again, and the laptop has paused too long. A saved position finds it no place.
    await save(laptop);
    expect(await nextRange(links[1]!)).toBe("playing_elsewhere");
    expect(await nextRange(links[0]!)).toBe(206);
  });

  it.each<[string, (device: Person) => Promise<unknown>]>([
    ["signs out", (device) => device.call("POST", "/auth/v1/logout?scope=local")],
    [
      "has a session that is 30 days old",
      (device) =>
        app.sql("update sessions set created_at = created_at - interval '30 days' where id = $1", [sessionIdOf(device)]),
    ],
  ])("frees the place of a device at once when it %s", async (_how, end) => {
    const [phone, laptop, tablet] = (await devices(3)) as [Person, Person, Person];
    const link = await play(phone);
    app.clock.advance(1);
    await play(laptop);
    await end(laptop);
    await play(tablet);
    expect(await nextRange(link)).toBe(206);
  });

  it("counts devices right again after the clock was ahead", async () => {
    const [old, idle, phone, laptop] = (await devices(4)) as [Person, Person, Person, Person];
    const oldLink = await play(old);
    await play(idle);
    const ahead = "update playing_sessions set played_at = played_at + interval '1 hour' where session_id = any($1)";
    await app.sql(ahead, [[old, idle].map(sessionIdOf)]);
    const phoneLink = await play(phone);
    app.clock.advance(1);
    const laptopLink = await play(laptop);
    expect(await Promise.all([phoneLink, laptopLink].map(nextRange))).toEqual([206, 206]);
    // It has to find a place like one that has paused.
    expect(await nextRange(oldLink)).toBe("playing_elsewhere");
    app.clock.advance(idleSeconds);
    await play(old);
    expect(await lastSign(old)).toBe(app.clock.now().getTime());
  });

  it("counts a sign of playing up to five minutes ahead, and none later", async () => {
    const [phone] = (await devices(1)) as [Person];
    const link = await play(phone);
    const now = app.clock.now().getTime();
    for (const [ahead, left] of [
      [clockToleranceSeconds, clockToleranceSeconds],
      [clockToleranceSeconds + 1, 0],
    ] as const) {
      const at = new Date(now + ahead * 1000);
      await app.sql("update playing_sessions set played_at = $2 where session_id = $1", [sessionIdOf(phone), at]);
      expect(await nextRange(link)).toBe(206);
      expect(await lastSign(phone)).toBe(now + left * 1000);
    }
  });

  it("fails neither a film nor a play while the account is deleted", async () => {
    const [phone] = (await devices(1)) as [Person];
    const link = await play(phone);
    app.clock.advance(idleSeconds);
    const both = () => Promise.all([nextRange(link), play(phone).then(() => "played")]);
    const deletion = { text: "delete from accounts where id = $1", values: [phone.id] };
    expect(await behindTransaction(app, deletion, both, undefined, 2)).toEqual([206, "played"]);
  });

  it("lets a device play on after a database crash has emptied the table", async () => {
    const [phone, laptop] = (await devices(2)) as [Person, Person];
    const links = [await play(phone), await play(laptop)];
    await app.sql("truncate playing_sessions");
    app.clock.advance(1);
    expect(await Promise.all(links.map(nextRange))).toEqual([206, 206]);
    expect(await Promise.all([phone, laptop].map(lastSign))).toEqual(Array(2).fill(app.clock.now().getTime()));
  });
});

describe("a sign of playing", () => {
  it("writes one device's sign of playing every half minute at most, for any ranges", async () => {
    const [phone, laptop] = (await devices(2)) as [Person, Person];
    const link = await play(phone);
    await play(laptop);
    const start = await lastSign(phone);
    app.clock.advance(signSeconds - 1);
    await nextRange(link);
    await save(phone);
    expect(await lastSign(phone)).toBe(start);
    app.clock.advance(1);
    await Promise.all(Array.from({ length: 8 }, () => nextRange(link)));
    expect(await lastSign(phone)).toBe(start + signSeconds * 1000);
    expect(await lastSign(laptop)).toBe(start);
  });

  it("takes a saved position as a sign of playing", async () => {
    const [phone, laptop, tablet] = (await devices(3)) as [Person, Person, Person];
    const [phoneLink, laptopLink] = [await play(phone), await play(laptop)] as const;
    for (let passed = 0; passed <= idleSeconds; passed += signSeconds) {
      app.clock.advance(signSeconds - 1);
      await nextRange(laptopLink);
      app.clock.advance(1);
      await save(phone);
    }
    await play(tablet);
    expect(await Promise.all([phoneLink, laptopLink].map(nextRange))).toEqual([206, "playing_elsewhere"]);
    const sign = await lastSign(laptop);
    app.clock.advance(signSeconds);
    await save(laptop);
    expect(await nextRange(laptopLink)).toBe("playing_elsewhere");
    expect(await lastSign(laptop)).toBe(sign);
  });

  // DEVICE-1.
  it("takes no saved position in an outside film as a sign of playing", async () => {
    const [phone] = (await devices(1)) as [Person];
    await play(phone);
    const start = await lastSign(phone);
    app.clock.advance(signSeconds);
    await save(phone, outsideFilmId);
    expect(await lastSign(phone)).toBe(start);
  });

  // RUN-3, WATCH-5.
  it.each([
    ["a sign of playing", signSeconds],
    ["its return after a pause", idleSeconds],
  ])("does not stop a film when %s cannot be written", async (_what, seconds) => {
    const [phone] = (await devices(1)) as [Person];
    const link = await play(phone);
    app.clock.advance(seconds);
    await app.sql("create function refuse() returns trigger language plpgsql as $$ begin raise 'read-only'; end $$");
    await app.sql("create trigger refuse before update on playing_sessions for each row execute function refuse()");
    try {
      expect(await nextRange(link)).toBe(206);
    } finally {
      await app.sql("drop function refuse cascade");
    }
  });
});
