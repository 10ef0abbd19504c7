import { mkdir, readdir, readlink, rm, truncate } from "node:fs/promises";
import { Agent, get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { BucketName } from "#domain/upload-rules";
import { startApp, type TestApp } from "../../../../../tests/support/app.ts";
import { admin, student, type Person } from "../../../../../tests/support/people.ts";
import { mp4Of, pngOf, uploader } from "../../../../../tests/support/uploads.ts";

let app: TestApp;
let operator: Person;
let buyer: Person;
let logged: string[];
let film: { id: string; name: string; bytes: Buffer };

beforeAll(async () => {
  app = await startApp({ environment: { LOG_LEVEL: "warn" } });
  logged = loggedLines();
  operator = await admin(app);
  buyer = await student(app, "starter");
  film = await filmOf(mp4Of(2_000_003));
});
afterAll(() => app?.close());

async function filmOf(bytes: Buffer, filename = "lesson.mp4"): Promise<{ id: string; name: string; bytes: Buffer }> {
  const id = await uploader(app, await admin(app)).upload("course-videos", bytes, filename);
  await app.sql(
    "insert into videos (title, description, object_id, module, order_index, package_type, created_at) values ('T', 'D', $1, 'M', 1, 'starter', now())",
    [id],
  );
  return { id, bytes, name: await nameOf(id) };
}

async function nameOf(id: string): Promise<string> {
  const [object] = await app.sql<{ name: string }>("select name from stored_objects where id = $1", [id]);
  return object?.name ?? "";
}

/** Collects what the server logs from now on instead of writing it. */
function loggedLines(): string[] {
  const lines: string[] = [];
  const { log } = app.server as unknown as { log: Record<symbol, { write: (line: string) => boolean }> };
  const streamKey = Object.getOwnPropertySymbols(log).find(({ description }) => description === "pino.stream")!;
  vi.spyOn(log[streamKey]!, "write").mockImplementation((line) => lines.push(line) > 0);
  return lines;
}

const link = (name = film.name, viewer = buyer, bucket: BucketName = "course-videos", seconds = 60): string =>
  app.url + app.deps.links.sign(bucket, name, viewer.id, seconds).path;

const fetched = async (url: string, headers: Record<string, string> = {}, method = "GET") => {
  const reply = await fetch(url, { headers, method });
  return { reply, bytes: Buffer.from(await reply.arrayBuffer()) };
};

const codeOf = async (url: string): Promise<[number, string]> => {
  const reply = await fetch(url);
  return [reply.status, ((await reply.json()) as { code: string }).code];
};

describe("a signed link", () => {
  it("serves a file with its type, its length and headers for caching", async () => {
    const { reply, bytes } = await fetched(link());
    expect(reply.status).toBe(200);
    expect(bytes.equals(film.bytes)).toBe(true);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      "content-type": "video/mp4",
      "content-length": "2000003",
      "cache-control": "private, max-age=3600",
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
      "content-disposition": "inline; filename=\"lesson.mp4\"; filename*=UTF-8''lesson.mp4",
      "content-security-policy": expect.stringMatching(/^default-src 'none'/),
      etag: expect.stringMatching(/^"[^"]+"$/),
    });
  });

  it("a signed link opens without a session", async () => {
    expect((await fetched(link())).reply.status).toBe(200);
  });

  it("a missing, malformed, foreign or expired token returns 403 link_invalid", async () => {
    const good = new URL(link());
    const token = good.searchParams.get("token") ?? "";
    const [claims = "", proof = ""] = token.split(".");
    const other = Buffer.from(Buffer.from(claims, "base64url").toString().replace(buyer.id, operator.id)).toString("base64url");
    const last = proof.endsWith("A") ? "B" : "A";
    const wrong = [
      "",
      "x",
      ".",
      "..",
      `${claims}.`,
      `.${proof}`,
      `${other}.${proof}`,
      `${claims}.${proof.slice(0, -1)}${last}`,
      `${token}.${proof}`,
      `${token}=`,
    ];
    for (const bad of wrong) {
      expect(await codeOf(`${app.url}${good.pathname}?token=${bad}`), bad).toEqual([403, "link_invalid"]);
    }
    expect(await codeOf(`${app.url}${good.pathname}`)).toEqual([403, "link_invalid"]);
    expect(await codeOf(`${app.url}${good.pathname}?token=${token}&token=${token}`)).toEqual([403, "link_invalid"]);
    const second = await filmOf(mp4Of(5000));
    expect(await codeOf(`${app.url}${good.pathname.replace(film.name, second.name)}?token=${token}`)).toEqual([
      403,
      "link_invalid",
    ]);
    expect(await codeOf(`${app.url}${good.pathname.replace("course-videos", "payment-screenshots")}?token=${token}`)).toEqual([
      403,
      "link_invalid",
    ]);
    expect(await codeOf(`${app.url}${good.pathname.replace("course-videos", "secrets")}?token=${token}`)).toEqual([
      403,
      "link_invalid",
    ]);
    expect(await codeOf(link(film.name, buyer, "course-videos", 0))).toEqual([403, "link_invalid"]);
  });

  it("a signed link expires", async () => {
    const url = link(film.name, buyer, "course-videos", 4 * 3600);
    app.clock.advance(4 * 3600 - 5);
    expect((await fetched(url)).reply.status).toBe(200);
    app.clock.advance(10);
    expect(await codeOf(url)).toEqual([403, "link_invalid"]);
  });

  it("a signed link works only while its holder has the tier", async () => {
    const url = link();
    await app.sql("update profiles set subscription_status = 'unpaid' where id = $1", [buyer.id]);
    const { reply } = await fetched(url);
    expect([reply.status, reply.headers.get("cache-control")]).toEqual([403, "no-store"]);
    await app.sql("update profiles set subscription_status = 'advanced' where id = $1", [buyer.id]);
    expect((await fetched(url)).reply.status).toBe(200);
  });

  it("a signed link stops working when its holder's account is deleted", async () => {
    const leaver = await student(app, "advanced");
    const url = link(film.name, leaver);
    expect((await fetched(url)).reply.status).toBe(200);
    await app.sql("delete from accounts where id = $1", [leaver.id]);
    expect(await codeOf(url)).toEqual([403, "not_allowed"]);
  });

  it("a signed link of a deleted object returns 404", async () => {
    const gone = await filmOf(mp4Of(5000));
    const url = link(gone.name);
    await app.sql("delete from videos where object_id = $1", [gone.id]);
    await app.sql("delete from stored_objects where id = $1", [gone.id]);
    expect(await codeOf(url)).toEqual([404, "not_found"]);
  });

  it("the name of a download is escaped", async () => {
    const odd = await filmOf(mp4Of(5000), 'Übung "1"; x=\\..\\é%41.mp4');
    const disposition = (await fetched(link(odd.name))).reply.headers.get("content-disposition");
    expect(disposition).toBe("inline; filename=\"__41.mp4\"; filename*=UTF-8''%C3%A9%2541.mp4");
  });

  it("the name of a download ends in an extension of the type found", async () => {
    const claimed = await filmOf(mp4Of(5000), "les\u202Eson.html");
    expect(claimed.name).toBe(`${claimed.id}.mp4`);
    const disposition = (await fetched(link(claimed.name))).reply.headers.get("content-disposition");
    expect(disposition).toBe("inline; filename=\"lesson.html.mp4\"; filename*=UTF-8''lesson.html.mp4");
  });
});

describe("a screenshot's link", () => {
  it("a screenshot opens for its owner and the admin, also after the owner is deleted", async () => {
    const owner = await student(app);
    const bytes = pngOf(9000);
    const name = await nameOf(await uploader(app, owner).upload("payment-screenshots", bytes, "paid.png"));
    const open = (viewer: Person) => fetched(link(name, viewer, "payment-screenshots"));
    expect((await open(owner)).bytes.equals(bytes)).toBe(true);
    const { headers } = (await open(operator)).reply;
    expect(headers.get("content-type")).toBe("image/png");
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'.*; sandbox$/);
    expect((await open(buyer)).reply.status).toBe(403);
    await app.sql("delete from accounts where id = $1", [owner.id]);
    expect((await open(owner)).reply.status).toBe(403);
    expect((await open(operator)).reply.status).toBe(200);
  });
});

describe("parts of a file", () => {
  it.each([
    ["bytes=0-99", 0, 99],
    ["bytes=1000000-", 1_000_000, 2_000_002],
    ["bytes=-7", 1_999_996, 2_000_002],
    ["bytes=262143-524289", 262_143, 524_289],
  ])("a range of %s returns exactly those bytes", async (range, start, end) => {
    const { reply, bytes } = await fetched(link(), { range });
    expect([reply.status, reply.headers.get("content-range")]).toEqual([206, `bytes ${start}-${end}/2000003`]);
    expect(bytes.equals(film.bytes.subarray(start, end + 1))).toBe(true);
  });

  it("returns 416 for a range behind the end, and the whole file for several ranges", async () => {
    const behind = await fetched(link(), { range: "bytes=2000003-" });
    expect([behind.reply.status, behind.reply.headers.get("content-range")]).toEqual([416, "bytes */2000003"]);
    const several = await fetched(link(), { range: "bytes=0-1,5-6" });
    expect([several.reply.status, several.bytes.length]).toEqual([200, 2_000_003]);
  });

  it("If-None-Match returns 304, and If-Range a part of the same file only", async () => {
    const etag = (await fetched(link(), {}, "HEAD")).reply.headers.get("etag") ?? "";
    const known = await fetched(link(), { "if-none-match": etag });
    expect([known.reply.status, known.bytes.length, known.reply.headers.get("etag")]).toEqual([304, 0, etag]);
    expect((await fetched(link(), { range: "bytes=0-9", "if-range": etag })).reply.status).toBe(206);
    expect((await fetched(link(), { range: "bytes=0-9", "if-range": '"other"' })).reply.status).toBe(200);
  });

  it("HEAD returns the size and no bytes", async () => {
    const { reply, bytes } = await fetched(link(), {}, "HEAD");
    expect([reply.status, reply.headers.get("content-length"), bytes.length]).toEqual([200, "2000003", 0]);
  });

  it("a missing, truncated or unreadable file returns 500 without success headers", async () => {
    const path = (id: string): string => join(app.deps.config.files.dataDir, "objects", id);
    const ruin: ((id: string) => Promise<void>)[] = [
      (id) => rm(path(id)),
      (id) => truncate(path(id), 4000),
      (id) => rm(path(id)).then(() => mkdir(path(id))),
    ];
    for (const spoil of ruin) {
      const { id, name } = await filmOf(mp4Of(5000));
      await spoil(id);
      for (const method of ["GET", "HEAD"]) {
        const { reply, bytes } = await fetched(link(name), { range: "bytes=0-9" }, method);
        const { status, headers } = reply;
        expect([status, headers.get("cache-control"), headers.get("etag"), headers.get("content-range")]).toEqual([
          500,
          "no-store",
          null,
          null,
        ]);
        if (method === "GET") expect(JSON.parse(bytes.toString())).toMatchObject({ code: "file_damaged" });
      }
    }
  });

  it("cuts a kept connection when the file ends in mid-stream, and logs the error once", async () => {
    const { id, name } = await filmOf(mp4Of(30_000_000));
    // Without the cut, a kept connection waits for the rest for ever.
    const agent = new Agent({ keepAlive: true });
    const ended = new Promise<string>((resolve) => {
      get(link(name), { agent }, (answer) => {
        answer.once("data", () => {
          answer.pause();
          void truncate(join(app.deps.config.files.dataDir, "objects", id), 5_000_000).then(() => answer.resume());
        });
        answer.once("end", () => resolve("whole"));
        answer.once("error", (error) => resolve((error as NodeJS.ErrnoException).code ?? ""));
      });
    });
    expect(await ended).toBe("ECONNRESET");
    agent.destroy();
    await vi.waitFor(() => expect(logged.join("")).toContain("The stored file is shorter than its row says."));
    expect((await fetched(link(film.name), { range: "bytes=0-9" })).reply.status).toBe(206);
    expect(logged.filter((line) => line.includes("The stored file is shorter"))).toHaveLength(1);
  });

  it("closes the file when the reader disconnects in mid-stream", async () => {
    const large = await filmOf(mp4Of(30_000_000));
    const path = join(app.deps.config.files.dataDir, "objects", large.id);
    const openFiles = async (): Promise<number> => {
      const targets = await Promise.all(
        (await readdir("/proc/self/fd")).map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => "")),
      );
      return targets.filter((target) => target === path).length;
    };
    const reply = await new Promise<IncomingMessage>((resolve) => {
      get(link(large.name), (answer) => {
        answer.once("data", () => resolve(answer.pause()));
      });
    });
    expect(await openFiles()).toBe(1);
    reply.destroy();
    await vi.waitFor(async () => expect(await openFiles()).toBe(0));
  });
});
