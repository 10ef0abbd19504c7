import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { checkRange } from "#domain/playback/devices";
import { videoBucket } from "#server/features/videos/bucket";
import { addSampleCourse } from "#server/sample-course";
import { filmJobOf } from "../../../../../tests/support/films/job.ts";
import { filmSample } from "../../../../../tests/support/films/samples.ts";
import { startCourse, type Course } from "../../../../../tests/support/course/start-course.ts";
import { captionsForm, webVtt } from "../../../../../tests/support/course/materials.ts";
import { sessionIdOf, student } from "../../../../../tests/support/people.ts";
import { hasS3Server, startS3Server, type S3Server } from "../../../../../tests/support/s3/server.ts";
import { chunksOf, typesOf } from "../../../../../tests/support/films/mp4.ts";
import { mp4Of, pngOf, uploader } from "../../../../../tests/support/uploads.ts";

let server: S3Server;
let course: Course;
beforeAll(async () => {
  if (!hasS3Server) return;
  server = await startS3Server();
  course = await startCourse({
    environment: server.environment,
  });
});
afterAll(async () => {
  await course?.app.close();
  await server?.close();
});

const play = async (id: string): Promise<{ url: string; expires_at: string }> =>
  (await course.starter.call("POST", `/api/videos/${id}/play`)).body;
const led = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(new URL(url, course.app.url), { redirect: "manual", headers });
const bytesAt = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer());

// FILE-19
describe.runIf(hasS3Server)("a link to a file in a bucket", () => {
  it("leads to the store, which sends a film in parts and with its headers", async () => {
    const bytes = mp4Of(9_000_000);
    const upload_id = await uploader(course.app, course.operator).upload("course-videos", bytes, "Größe.mp4");
    const { url, expires_at } = await play((await course.add({ upload_id })).id);
    expect(Date.parse(expires_at) - course.app.clock.now().getTime()).toBe(15 * 60_000);
    const reply = await led(url);
    const address = new URL(reply.headers.get("location") ?? "");
    expect([reply.status, reply.headers.get("cache-control"), address.origin]).toEqual([
      307,
      "no-store",
      server.settings.endpoint,
    ]);
    expect(address.searchParams.get("X-Amz-Expires")).toBe("900");
    const part = await fetch(address, { headers: { range: "bytes=8388000-8389999" } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(8_388_000, 8_390_000))).toBe(true);
    expect(Object.fromEntries(part.headers)).toMatchObject({
      "content-type": "video/mp4",
      "content-disposition": `inline; filename="Gr__e.mp4"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.mp4`,
      "cache-control": "no-store",
    });
    // A check, which is no sign of playing, gets no address of the whole film.
    const check = await led(url, { range: checkRange });
    expect([check.status, check.headers.get("location"), await check.text()]).toEqual([
      206,
      null,
      bytes.toString("latin1", 0, 1),
    ]);
    address.searchParams.set("X-Amz-Expires", "90000");
    expect((await fetch(address)).status).toBe(403);
  });

  it("leads nowhere for whoever may not open the file, nor to bytes that are gone", async () => {
    const upload_id = await uploader(course.app, course.operator).upload("course-videos", mp4Of(5000));
    const { url } = await play((await course.add({ upload_id })).id);
    const forged = await led(url.replace(/.$/, (last) => (last === "A" ? "B" : "A")));
    expect([forged.status, forged.headers.get("location")]).toEqual([403, null]);
    await course.app.deps.objects.remove(upload_id);
    const damaged = await led(url);
    expect([damaged.status, damaged.headers.get("location")]).toEqual([500, null]);
  });

  it("leads to a screenshot for one minute, sent by a form or by tus", async () => {
    const buyer = await student(course.app);
    const bytes = pngOf(300_000);
    const form = new FormData();
    form.set("file", new Blob([new Uint8Array(bytes)], { type: "image/png" }), "paid.png");
    const byForm = (await buyer.call("POST", "/storage/v1/object/payment-screenshots", form)).body.upload_id as string;
    const byTus = await uploader(course.app, buyer).upload("payment-screenshots", bytes);
    for (const id of [byForm, byTus]) {
      const [object] = await course.app.sql<{ name: string }>("select name from stored_objects where id = $1", [id]);
      const viewer = { id: buyer.id, sessionId: sessionIdOf(buyer) };
      const reply = await led(course.app.deps.links.sign("payment-screenshots", object!.name, viewer, 60).path);
      const address = reply.headers.get("location") ?? "";
      expect(new URL(address).searchParams.get("X-Amz-Expires")).toBe("60");
      expect((await bytesAt(address)).equals(bytes)).toBe(true);
    }
  });

  it("leads to the store although the site's clock is behind the store's", async () => {
    const { objects } = course.app.deps;
    const id = await uploader(course.app, course.operator).upload("course-videos", mp4Of(5000));
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 120_000 });
    onTestFinished(() => void vi.useRealTimers());
    await (await objects.open(id))?.close();
    const address = await objects.addressOf!(id, { "content-type": "video/mp4", "content-disposition": "inline" }, 60);
    expect((await bytesAt(address)).equals(mp4Of(5000))).toBe(true);
  });

  it("leads to a film whose index was moved to its front", async () => {
    const preparing = filmJobOf(course.app);
    preparing.job.start();
    const bytes = await filmSample("h264-aac-late.mp4");
    const upload_id = await uploader(course.app, course.operator).upload("course-videos", bytes, "late.mp4");
    const { id } = await course.add({ upload_id });
    const isPrepared = async (): Promise<boolean> =>
      (await course.app.sql("select 1 from videos where id = $1 and object_id <> $2", [id, upload_id])).length === 1;
    await expect.poll(isPrepared).toBe(true);
    await preparing.close();
    const whole = await bytesAt((await play(id)).url);
    expect(typesOf(whole)).toEqual(["ftyp", "free", "moov", "mdat"]);
    expect(chunksOf(whole)).toEqual(chunksOf(bytes));
  });

  // FILE-16
  it("leads Chromium too to the ordinary layout of a film that has fragments", async () => {
    const upload_id = await uploader(course.app, course.operator).upload("course-videos", mp4Of(5000));
    const { id } = await course.add({ upload_id });
    await course.app.sql("insert into films (object_id, playability, fragments_at) values ($1, 'plays', 4000)", [upload_id]);
    const chromium = { "sec-ch-ua": '"Chromium";v="156", "Not A(Brand";v="24"' };
    const { url } = (await course.starter.call("POST", `/api/videos/${id}/play`, undefined, chromium)).body;
    expect(url).not.toContain("layout");
    expect((await bytesAt(url)).equals(mp4Of(5000))).toBe(true);
  });

  it("has the site send what pages read: captions, and a film for its frames", async () => {
    const bytes = mp4Of(50_000);
    const upload_id = await uploader(course.app, course.operator).upload("course-videos", bytes);
    const { id } = await course.add({ upload_id });
    await course.operator.call("POST", `/api/videos/${id}/captions`, captionsForm(webVtt));
    const { items } = (await course.starter.call("GET", "/api/videos?limit=100")).body;
    const captions = await led(items.find((video: any) => video.id === id).captions[0].url);
    expect([captions.status, captions.headers.get("content-type")]).toEqual([200, "text/vtt"]);
    const range = { range: "bytes=100-199" };
    const admins = (await course.operator.call("POST", `/api/videos/${id}/play`)).body.url;
    const film = await led(`${admins}&via=site`, range);
    expect(film.status).toBe(206);
    expect(Buffer.from(await film.arrayBuffer()).equals(bytes.subarray(100, 200))).toBe(true);
    // FILE-19: no student has the site fetch a film for them.
    const students = (await play(id)).url;
    for (const query of ["&via=site", "&layout=fragments"]) expect((await led(students + query, range)).status).toBe(307);
  });

  it("is followed by pages for pictures and films, and for nothing else", async () => {
    const policy = (await fetch(course.app.url)).headers.get("content-security-policy")?.split("; ") ?? [];
    const withStore = policy.filter((rule) => rule.includes(server.settings.endpoint));
    expect(withStore.map((rule) => rule.split(" ")[0])).toEqual(["img-src", "media-src"]);
  });

  it("leads to every film of the sample course", async () => {
    const { db, clock, config, objects } = course.app.deps;
    const samplesDir = resolve(import.meta.dirname, "../../../../../samples");
    const { added } = await addSampleCourse({ db, clock, objects, bucket: videoBucket(config), samplesDir });
    const films = await course.app.sql<{ id: string; filename: string }>(
      "select o.id, o.filename from videos v join stored_objects o on o.id = v.object_id where o.filename like '%-_.mp4'",
    );
    expect([films.length, added]).toEqual([16, 16]);
    const headers = { "content-type": "video/mp4", "content-disposition": "inline" };
    for (const { id, filename } of films) {
      const sample = await readFile(join(samplesDir, "videos", filename));
      expect((await bytesAt(await objects.addressOf!(id, headers, 60))).equals(sample), filename).toBe(true);
    }
  });
});
