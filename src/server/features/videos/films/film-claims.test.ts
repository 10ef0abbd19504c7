// Over 250 lines: one course whose films are claimed, kept, lost and given up by several processes.
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { ProductError } from "#domain/errors/messages";
import { behindTransaction } from "../../../../../tests/support/database/behind-transaction.ts";
import { filmJobOf } from "../../../../../tests/support/films/job.ts";
import { filmSample } from "../../../../../tests/support/films/samples.ts";
import { startCourse, type Course } from "../../../../../tests/support/course/start-course.ts";
import { admin } from "../../../../../tests/support/people.ts";
import { storeWith } from "../../../../../tests/support/store-with.ts";
import { uploader } from "../../../../../tests/support/uploads.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import { allowIdle, transaction } from "../../../platform/db/transaction.ts";
import { openFilmReader, type FilmReader } from "../../../platform/films/film-reader.ts";
import type { ObjectStore } from "../../../platform/storage/object-store.ts";
import { claimFilm, giveUpFilm } from "./queries.ts";

let course: Course;
let reader: FilmReader;
beforeAll(async () => {
  course = await startCourse();
  reader = openFilmReader(inject("filmWorker"));
});
afterEach(async () => {
  vi.useRealTimers();
  await course.app.sql("delete from stored_objects");
});
afterAll(async () => {
  await reader?.close();
  await course?.app.close();
});

/** Uploads a film, a second after the one before. Returns its object's id. */
async function uploadFilm(name = "h264-aac-late.mp4"): Promise<string> {
  course.app.clock.advance(1);
  return uploader(course.app, await admin(course.app)).upload("course-videos", await filmSample(name), name);
}

const rowOf = async (objectId: string): Promise<any> =>
  (await course.app.sql("select * from films where object_id = $1", [objectId]))[0];

/** The app's store with other methods. */
const appStoreWith = (methods: Partial<ObjectStore>): ObjectStore => storeWith(course.app.deps.objects, methods);

/** A store that calls `event` before it sends the bytes of a film that is copied. */
const storeWithCopy = (event: () => AsyncGenerator<Buffer, void>): ObjectStore =>
  appStoreWith({
    async open(id) {
      const bytes = (await course.app.deps.objects.open(id))!;
      async function* pieces(...range: [number, number]): AsyncGenerator<Buffer, void> {
        try {
          yield* event();
          yield* bytes.pieces(...range);
        } finally {
          await bytes.close();
        }
      }
      return { ...bytes, pieces, close: () => bytes.close() };
    },
  });

/** Names of the samples in the order in which a process reads them. */
function inOrder(names: Map<string, string>): { films: FilmReader; read: string[] } {
  const read: string[] = [];
  const probe: FilmReader["probe"] = (path, contentType) => {
    for (const [id, name] of names) if (path.includes(id)) read.push(name);
    return reader.probe(path, contentType);
  };
  return { films: { ...reader, probe }, read };
}

/** Claims in a transaction that stays open until `meanwhile` has ended. Never waits long for a lock. */
const claim = (meanwhile = async (): Promise<unknown> => undefined): Promise<string | undefined> =>
  transaction(course.app.deps.db, async (tx) => {
    await allowIdle(tx, 0);
    await tx.execute("set local lock_timeout = '2s'");
    const now = course.app.clock.steady();
    const film = await claimFilm(tx, { now, leaseEnd: secondsAfter(now, 120) });
    await meanwhile();
    return film?.object_id;
  });

// FILE-12
describe("the lease of a film", () => {
  it("lasts two minutes, and is renewed every half minute until the film is prepared", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const objectId = await uploadFilm();
    const { clock } = course.app;
    const leaseEnd = async (): Promise<Date> => (await rowOf(objectId)).next_attempt_at;
    // Not `expect.poll`, which moves the timers.
    const renewed = async (): Promise<void> => {
      while ((await leaseEnd()) < secondsAfter(clock.steady(), 120)) await new Promise(setImmediate);
    };
    const films: FilmReader = {
      ...reader,
      async probe(...film) {
        expect(await leaseEnd()).toEqual(secondsAfter(clock.steady(), 120));
        const before = await leaseEnd();
        clock.advance(100);
        vi.advanceTimersByTime(29_999);
        expect(await leaseEnd()).toEqual(before);
        for (let renewal = 0; renewal < 2; renewal += 1) {
          vi.advanceTimersByTime(renewal === 0 ? 1 : 30_000);
          await renewed();
          clock.advance(100);
        }
        return reader.probe(...film);
      },
    };
    const timers = vi.getTimerCount();
    const { job, errors, close } = filmJobOf(course.app, { films });
    await job.run();
    await close();
    expect([errors, vi.getTimerCount()]).toEqual([[], timers]);
    expect(await rowOf(objectId)).toMatchObject({ attempts: 1, next_attempt_at: null });
  });

  it("ends a copy once it is lost, and not when it could not be renewed", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const objectId = await uploadFilm();
    let isAway = false;
    const steady = (): Date => {
      if (isAway) throw new Error("PostgreSQL is away.");
      return course.app.clock.steady();
    };
    const renewed = (): Promise<void> => {
      vi.advanceTimersByTime(30_000);
      return new Promise(setImmediate);
    };
    let hasGoneOn = false;
    async function* untilCut(): AsyncGenerator<Buffer, void> {
      isAway = true;
      await renewed();
      isAway = false;
      yield Buffer.alloc(0);
      hasGoneOn = true;
      await course.app.sql("update films set attempts = 2 where object_id = $1", [objectId]);
      for (;;) {
        await renewed();
        yield Buffer.alloc(0);
      }
    }
    const clock = { ...course.app.clock, steady };
    const { job, errors, close } = filmJobOf(course.app, { clock, objects: storeWithCopy(untilCut) });
    await job.run();
    await close();
    expect([errors, hasGoneOn]).toEqual([[], true]);
  });
});

describe("the order of films", () => {
  it("prepares the newest film first, then the one that is due longest", async () => {
    const names = new Map<string, string>();
    for (const name of ["h264-aac-fast.mp4", "vp9-opus.webm", "prores.mov"]) names.set(await uploadFilm(name), name);
    const { films, read } = inOrder(names);
    const { job, close } = filmJobOf(course.app, { films });
    await job.run();
    expect(read.splice(0)).toEqual(["prores.mov", "vp9-opus.webm", "h264-aac-fast.mp4"]);
    for (const [id, name] of names) {
      const ago = { "h264-aac-fast.mp4": 20, "vp9-opus.webm": 10, "prores.mov": 30 }[name]!;
      await course.app.sql("update films set next_attempt_at = $2 where object_id = $1", [
        id,
        secondsAfter(course.app.clock.steady(), -ago),
      ]);
    }
    await job.run();
    await close();
    expect(read).toEqual(["prores.mov", "h264-aac-fast.mp4", "vp9-opus.webm"]);
  });

  it("lets two processes claim two films at the same time, new ones and due ones", async () => {
    const [first, second] = [await uploadFilm(), await uploadFilm()];
    const together = async (): Promise<unknown[]> => {
      let other: string | undefined;
      const one = await claim(async () => (other = await claim()));
      return [one, other];
    };
    expect(await together()).toEqual([second, first]);
    course.app.clock.advance(120);
    expect(new Set(await together())).toEqual(new Set([first, second]));
    expect(await claim()).toBeUndefined();
  });

  it("leaves a new film to the process whose claim is not yet committed", async () => {
    const objectId = await uploadFilm();
    const leaseEnd = secondsAfter(course.app.clock.steady(), 120);
    const text = "insert into films (object_id, attempts, next_attempt_at) values ($1, 1, $2)";
    const { job, errors, close } = filmJobOf(course.app);
    await behindTransaction(course.app, { text, values: [objectId, leaseEnd] }, () => job.run());
    await close();
    expect([errors, await rowOf(objectId)]).toMatchObject([[], { attempts: 1, next_attempt_at: leaseEnd }]);
  });

  it("claims no stored file but films", async () => {
    const objectId = await uploadFilm();
    await course.app.sql("update stored_objects set bucket = 'lesson-attachments' where id = $1", [objectId]);
    expect(await claim()).toBeUndefined();
  });
});

describe("a film whose preparation fails", () => {
  it("waits half a minute, then twice as long each time, at most an hour", async () => {
    const objectId = await uploadFilm();
    const full = Object.assign(new Error("write"), { code: "ENOSPC" });
    const objects = appStoreWith({ append: () => Promise.reject(full) });
    const { job, errors, close } = filmJobOf(course.app, { objects });
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 9; attempt += 1) {
      await job.run();
      const { attempts, next_attempt_at } = await rowOf(objectId);
      const wait = (next_attempt_at.getTime() - course.app.clock.steady().getTime()) / 1000;
      waits.push(wait);
      course.app.clock.advance(wait - 1);
      await job.run();
      expect([attempts, (await rowOf(objectId)).attempts]).toEqual([attempt, attempt]);
      course.app.clock.advance(1);
    }
    await close();
    expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
    expect(errors).toEqual(Array(9).fill(`Film ${objectId} could not be prepared: Error: write`));
    expect(await rowOf(objectId)).toMatchObject({ failures: 0 });
  });

  it("is given up alone: the lease of another one goes on", async () => {
    const [spoilt, other] = [await uploadFilm(), await uploadFilm()];
    await course.app.sql("insert into films (object_id, failures, next_attempt_at) values ($1, 7, $2)", [
      spoilt,
      course.app.clock.steady(),
    ]);
    const leaseEnd = secondsAfter(course.app.clock.steady(), 60);
    await course.app.sql("insert into films (object_id, attempts, next_attempt_at) values ($1, 1, $2)", [other, leaseEnd]);
    const films: FilmReader = { ...reader, probe: () => Promise.reject(new ProductError("file_damaged")) };
    const readiness = [{ name: "disk", check: () => Promise.resolve("The disk is nearly full.") }];
    const { job, errors, close } = filmJobOf(course.app, { films, objects: appStoreWith({ readiness }) });
    await job.run();
    await close();
    expect(errors).toHaveLength(1);
    expect(await rowOf(spoilt)).toMatchObject({ playability: "damaged", next_attempt_at: null });
    expect(await rowOf(other)).toMatchObject({ playability: null, next_attempt_at: leaseEnd });
  });

  it.each([
    ["ten times behind a change of the video", "55P03", 10],
    ["once where something else is wrong", "P0001", 1],
  ])("is tried to be replaced %s", async (_what, code, tries) => {
    const objectId = await uploadFilm();
    await course.app.sql("create sequence tries");
    await course.app.sql(
      `create function refuse() returns trigger language plpgsql as
       $$ begin perform nextval('tries'); raise 'busy' using errcode = '${code}'; end $$`,
    );
    await course.app.sql("create trigger refuse before insert on stored_objects for each row execute function refuse()");
    const { job, errors, close } = filmJobOf(course.app);
    await job.run();
    await close();
    const [counted] = await course.app.sql<any>("select last_value::int as tries from tries");
    await course.app.sql("drop function refuse cascade");
    await course.app.sql("drop sequence tries");
    expect([counted, errors.length, await rowOf(objectId)]).toMatchObject([{ tries }, 1, { attempts: 1, failures: 1 }]);
  });

  it("is not given up by an attempt that has lost it", async () => {
    const object_id = await uploadFilm();
    const { db, clock } = course.app.deps;
    const now = clock.steady();
    const film = await claimFilm(db, { now, leaseEnd: secondsAfter(now, 120) });
    expect(await giveUpFilm(db, { object_id, attempts: 7 })).toBe(false);
    expect(await giveUpFilm(db, film!)).toBe(true);
    expect(await rowOf(object_id)).toMatchObject({ playability: "damaged", next_attempt_at: null });
  });

  it("needs room on the disk for its bytes and for the layout that follows them", async () => {
    const bytes = await filmSample("h264-aac-late.mp4");
    const objectId = await uploadFilm();
    const asked: number[] = [];
    const checkSpace = (size: number): Promise<never> => {
      asked.push(size);
      return Promise.reject(new ProductError("insufficient_storage"));
    };
    const films: FilmReader = {
      ...reader,
      async probe(...film) {
        const { facts, rewrite } = await reader.probe(...film);
        return { facts: { ...facts, durationSeconds: 0.0001 }, rewrite: { ...rewrite!, secondLayout: Buffer.alloc(1000) } };
      },
    };
    const { job, close } = filmJobOf(course.app, { films, objects: appStoreWith({ checkSpace }) });
    await job.run();
    await close();
    expect(asked).toEqual([bytes.length + 1000]);
    expect(await rowOf(objectId)).toMatchObject({ playability: "starts_late", duration_seconds: 0.001 });
  });

  it("is reported as waiting when no film can be claimed", async () => {
    const steady = (): never => {
      throw new Error("PostgreSQL is away.");
    };
    const { job, errors, close } = filmJobOf(course.app, { clock: { ...course.app.clock, steady } });
    await job.run();
    await close();
    expect(errors).toEqual(["Films wait: Error: PostgreSQL is away."]);
  });

  it("is not reported when the process stops, and may be prepared again at once", async () => {
    const objectId = await uploadFilm();
    let stopped: Promise<void> | undefined;
    async function* stopping(): AsyncGenerator<Buffer, void> {
      stopped = first.job.stop();
      yield Buffer.alloc(0);
    }
    const first = filmJobOf(course.app, { objects: storeWithCopy(stopping) });
    await first.job.run();
    await stopped;
    await first.close();
    expect([first.errors, await rowOf(objectId)]).toMatchObject([[], { attempts: 1, failures: 0 }]);
    expect((await rowOf(objectId)).next_attempt_at).toEqual(course.app.clock.steady());
  });
});

// FILE-12
describe("a copy that takes the place of its film", () => {
  it("goes to a lesson that takes the film meanwhile", async () => {
    const objectId = await uploadFilm();
    const taking = { text: "select 1 from stored_objects where id = $1 for key share", values: [objectId] };
    const text = `insert into videos (title, description, object_id, module, order_index, package_type, created_at)
      values ('T', 'D', $1, 'M', 1, 'both', now())`;
    const { job, errors, close } = filmJobOf(course.app);
    await behindTransaction(course.app, taking, () => job.run(), { text, values: [objectId] });
    await close();
    const lessons = await course.app.sql("delete from videos returning object_id <> $1 as has_copy", [objectId]);
    expect([errors, lessons]).toEqual([[], [{ has_copy: true }]]);
  });

  it("takes it while a lesson takes another film", async () => {
    const [other, objectId] = [await uploadFilm("h264-aac-fast.mp4"), await uploadFilm()];
    const { job, errors, close } = filmJobOf(course.app);
    await transaction(course.app.deps.db, async (tx) => {
      await allowIdle(tx, 0);
      await tx.execute(`select 1 from stored_objects where id = '${other}' for key share`);
      await job.run();
    });
    await close();
    expect([errors, await rowOf(objectId)]).toMatchObject([[], { next_attempt_at: null }]);
  });
});

// FILE-12
describe("a copy that was left by a process that was killed", () => {
  it.each(["h264-aac-late.mp4", "h264-aac-fast.mp4"])("is removed and forgotten before %s is prepared", async (name) => {
    const { objects } = course.app.deps;
    const [objectId, left] = [await uploadFilm(name), "11111111-1111-4111-8111-111111111111"];
    await objects.put(left, Buffer.from("half a copy"));
    await course.app.sql("insert into films (object_id, rewriting_id, next_attempt_at) values ($1, $2, $3)", [
      objectId,
      left,
      course.app.clock.steady(),
    ]);
    const { job, errors, close } = filmJobOf(course.app);
    await job.run();
    await close();
    expect([errors, await objects.size(left)]).toEqual([[], undefined]);
    expect(await rowOf(objectId)).toMatchObject({ rewriting_id: null, next_attempt_at: null });
  });
});
