import { mkdir, readdir, readFile, readlink, realpath, rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { TestJob } from "../../../../../tests/support/background-job.ts";
import { filmJobOf } from "../../../../../tests/support/films/job.ts";
import { filmSample } from "../../../../../tests/support/films/samples.ts";
import { startCourse, type Course } from "../../../../../tests/support/course/start-course.ts";
import { typesOf } from "../../../../../tests/support/films/mp4.ts";
import { placesOf, repeatedFilm, samplesByFragments, samplesByTables } from "../../../../../tests/support/films/mp4-samples.ts";
import { outcome, type Person } from "../../../../../tests/support/people.ts";
import { uploader } from "../../../../../tests/support/uploads.ts";

const chromium = { "sec-ch-ua": '"Chromium";v="156", "Not A(Brand";v="24"' };

let course: Course;
let film: TestJob;
let late: Buffer;
/** A film of 150 minutes, with an index of 370 kB at its end. */
let lesson: string;
beforeAll(async () => {
  course = await startCourse();
  film = filmJobOf(course.app);
  late = repeatedFilm(await filmSample("one-minute.mp4"), 150);
  lesson = await prepared(late);
});
afterAll(async () => {
  await film?.close();
  await course?.app.close();
});

async function prepared(bytes: Buffer): Promise<string> {
  const upload_id = await uploader(course.app, course.operator).upload("course-videos", bytes, "lesson.mp4");
  const { id } = await course.add({ upload_id });
  await film.job.run();
  expect(film.errors).toEqual([]);
  return id;
}

const play = async (who: Person, headers: Record<string, string> = {}, id = lesson): Promise<string> =>
  (await who.call("POST", `/api/videos/${id}/play`, undefined, headers)).body.url;
async function fetched(url: string, headers: Record<string, string> = {}): Promise<{ reply: Response; bytes: Buffer }> {
  const reply = await fetch(url, { headers });
  return { reply, bytes: Buffer.from(await reply.arrayBuffer()) };
}
const objectOf = async (id: string): Promise<string> =>
  (await course.app.sql<any>("select object_id from videos where id = $1", [id]))[0].object_id;
const pathOf = (object: string): string => join(course.app.deps.config.files.dataDir, "objects", object);

// FILE-16
describe("a film with a long index", () => {
  it("is sent to Chromium in fragments, every sample unchanged", async () => {
    const url = await play(course.starter, chromium);
    expect(url).toMatch(/&layout=fragments$/);
    const { reply, bytes } = await fetched(url);
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "video/mp4"]);
    expect(typesOf(bytes).slice(0, 4)).toEqual(["ftyp", "moov", "sidx", "moof"]);
    expect(samplesByFragments(bytes)).toEqual(samplesByTables(late));
    expect(placesOf(bytes, 1)[0]!.offset).toBeLessThan(50_000);
  });

  it("is sent to other browsers with its index in front", async () => {
    const firefox = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0" };
    const safari = { "sec-ch-ua": '"Safari";v="30"' };
    for (const headers of [{}, firefox, safari]) expect(await play(course.starter, headers)).not.toContain("layout");
    const { bytes } = await fetched(await play(course.starter));
    expect(typesOf(bytes)).toEqual(["ftyp", "moov", "mdat", "free"]);
    expect(samplesByTables(bytes)).toEqual(samplesByTables(late));
  });

  it("is rewritten although its index stood in front", async () => {
    const early = repeatedFilm(await filmSample("one-minute.mp4"), 150, { isLate: false });
    const id = await prepared(early);
    const stored = (await fetched(await play(course.starter, {}, id))).bytes;
    expect(typesOf(stored)).toEqual(["ftyp", "moov", "mdat", "free"]);
    expect(samplesByTables(stored)).toEqual(samplesByTables(late));
    const { bytes } = await fetched(await play(course.starter, chromium, id));
    expect(samplesByFragments(bytes)).toEqual(samplesByTables(late));
  });

  it("is rewritten once", async () => {
    const before = await objectOf(lesson);
    await course.app.sql("update films set next_attempt_at = '2000-01-01' where object_id = $1", [before]);
    await film.job.run();
    const attempts = course.app.sql<any>("select attempts, next_attempt_at from films where object_id = $1", [before]);
    expect([await objectOf(lesson), await attempts]).toEqual([before, [{ attempts: 1, next_attempt_at: null }]]);
  });

  it("is sent as it is where it has no fragments, whatever its link names", async () => {
    const id = await prepared(await filmSample("h264-aac-fast.mp4"));
    const url = await play(course.starter, chromium, id);
    expect(url).not.toContain("layout");
    const { bytes } = await fetched(`${url}&layout=fragments`);
    expect(bytes.equals(await filmSample("h264-aac-fast.mp4"))).toBe(true);
    for (const query of ["&layout=", "&layout=other", "&layout=fragments&layout=fragments"]) {
      const plain = await fetched((await play(course.starter)) + query);
      expect(typesOf(plain.bytes), query).toEqual(["ftyp", "moov", "mdat", "free"]);
    }
  });
});

describe("a part of a film in fragments", () => {
  it("returns exactly the bytes of any range", async () => {
    const url = await play(course.starter, chromium);
    const { bytes: whole, reply: first } = await fetched(url);
    const [second, third] = placesOf(whole, 1).slice(1, 3);
    const last = whole.length - 1;
    const ranges = [
      [0, 0],
      [0, last],
      [10, 99],
      [second!.offset - 1, second!.offset],
      [second!.offset, third!.offset - 1],
      [second!.offset - 3, third!.offset + 70_000],
      [last, last],
    ] as const;
    for (const [start, end] of ranges) {
      const { reply, bytes } = await fetched(url, { range: `bytes=${start}-${end}` });
      expect([reply.status, reply.headers.get("content-range")]).toEqual([206, `bytes ${start}-${end}/${whole.length}`]);
      expect(bytes.equals(whole.subarray(start, end + 1)), `${start}-${end}`).toBe(true);
    }
    const behind = await fetched(url, { range: `bytes=${whole.length}-` });
    expect([behind.reply.status, behind.reply.headers.get("content-range")]).toEqual([416, `bytes */${whole.length}`]);
    const head = await fetch(url, { method: "HEAD" });
    expect(head.headers.get("content-length")).toBe(String(whole.length));
    expect(head.headers.get("etag")).toBe(first.headers.get("etag"));
  });

  it("is no part of the same film with an ordinary index", async () => {
    const url = await play(course.starter, chromium);
    const etag = (await fetch(url, { method: "HEAD" })).headers.get("etag")!;
    expect((await fetched(url, { "if-none-match": etag })).reply.status).toBe(304);
    const plain = url.replace("&layout=fragments", "");
    expect((await fetched(plain, { "if-none-match": etag })).reply.status).toBe(200);
    expect((await fetched(plain, { range: "bytes=0-9", "if-range": etag })).reply.status).toBe(200);
  });

  it("is refused once its viewer may not play the film", async () => {
    const url = await play(course.starter, chromium);
    await course.change(lesson, { package_type: "advanced" });
    const answer = await fetch(url, { headers: { range: "bytes=0-9" } });
    expect(outcome({ status: answer.status, body: await answer.json() } as never)).toEqual([403, "video_locked"]);
    await course.change(lesson, { package_type: "both" });
    expect((await fetch(url, { headers: { range: "bytes=0-9" } })).status).toBe(206);
  });

  it("leaves no file open when its reader disconnects, or asks for its size alone", async () => {
    const url = await play(course.starter, chromium);
    const path = await realpath(pathOf(await objectOf(lesson)));
    const openFiles = async (): Promise<number> => {
      const targets = await Promise.all(
        (await readdir("/proc/self/fd")).map((one) => readlink(`/proc/self/fd/${one}`).catch(() => "")),
      );
      return targets.filter((target) => target === path).length;
    };
    await fetch(url, { method: "HEAD" });
    await expect.poll(openFiles).toBe(0);

    const { objects, server } = { ...course.app.deps, server: course.app.server.server };
    const { open } = objects;
    onTestFinished(() => void (objects.open = open));
    let isSending = (): boolean => false;
    const hasLeft = new Promise<void>((resolve) =>
      server.once("request", (_request, sent) => {
        isSending = () => sent.headersSent;
        sent.once("close", resolve);
      }),
    );
    // Once the reply has begun, nothing more is read before the reader has left.
    objects.open = async (id) => {
      const bytes = (await open.call(objects, id))!;
      const pieces = async function* (start: number, end: number): AsyncGenerator<Buffer, void> {
        for await (const piece of bytes.pieces(start, end)) {
          yield piece;
          if (isSending()) await hasLeft;
        }
      };
      return { ...bytes, pieces };
    };
    const stop = new AbortController();
    const reply = await fetch(url, { signal: stop.signal });
    await reply.body!.getReader().read();
    await expect.poll(openFiles).toBe(1);
    stop.abort();
    await hasLeft;
    await expect.poll(openFiles).toBe(0);
  });

  it.each([
    ["missing", (path: string) => rm(path)],
    ["truncated", (path: string) => truncate(path, 4000)],
    ["unreadable", (path: string) => rm(path).then(() => mkdir(path))],
  ])("is an error without headers of success when the file is %s", async (_what, spoil) => {
    const id = await prepared(late);
    const url = await play(course.starter, chromium, id);
    await spoil(pathOf(await objectOf(id)));
    const { reply, bytes } = await fetched(url, { range: "bytes=0-9" });
    expect([reply.status, reply.headers.get("etag"), JSON.parse(bytes.toString()).code]).toEqual([500, null, "file_damaged"]);
  });
});

it("keeps the upload's own bytes until the copy has taken its place", async () => {
  const upload_id = await uploader(course.app, course.operator).upload("course-videos", late, "lesson.mp4");
  await course.add({ upload_id });
  await film.job.run();
  expect((await readFile(pathOf(upload_id))).equals(late)).toBe(true);
});
