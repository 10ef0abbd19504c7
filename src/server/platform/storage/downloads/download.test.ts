import { mkdir, readdir, readlink, rm, truncate } from "node:fs/promises";
import { Agent, get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { fetched, startFilmSite, type FilmSite } from "../../../../../tests/support/films/lesson-with-film.ts";
import { mp4Of } from "../../../../../tests/support/uploads.ts";
import { soon } from "../../../../../tests/support/soon.ts";

let site: FilmSite;
let logged: string[];
beforeAll(async () => {
  site = await startFilmSite();
  logged = loggedLines();
});
afterAll(() => site?.app.close());

/** Collects what the server logs from now on instead of writing it. */
function loggedLines(): string[] {
  const lines: string[] = [];
  const { log } = site.app.server as unknown as { log: Record<symbol, { write: (line: string) => boolean }> };
  const streamKey = Object.getOwnPropertySymbols(log).find(({ description }) => description === "pino.stream")!;
  vi.spyOn(log[streamKey]!, "write").mockImplementation((line) => lines.push(line) > 0);
  return lines;
}

describe("parts of a file", () => {
  it.each([
    ["bytes=0-99", 0, 99],
    ["bytes=1000000-", 1_000_000, 2_000_002],
    ["bytes=-7", 1_999_996, 2_000_002],
    ["bytes=524287-1048577", 524_287, 1_048_577],
  ])("a range of %s returns exactly those bytes", async (range, start, end) => {
    const { reply, bytes } = await fetched(site.link(), { range });
    expect([reply.status, reply.headers.get("content-range")]).toEqual([206, `bytes ${start}-${end}/2000003`]);
    expect(bytes.equals(site.film.bytes.subarray(start, end + 1))).toBe(true);
  });

  it("returns 416 for a range behind the end, and the whole file for several ranges", async () => {
    const behind = await fetched(site.link(), { range: "bytes=2000003-" });
    expect([behind.reply.status, behind.reply.headers.get("content-range")]).toEqual([416, "bytes */2000003"]);
    expect(JSON.parse(behind.bytes.toString())).toMatchObject({ code: "range_not_satisfiable" });
    const several = await fetched(site.link(), { range: "bytes=0-1,5-6" });
    expect([several.reply.status, several.bytes.length]).toEqual([200, 2_000_003]);
  });

  it("If-None-Match returns 304, and If-Range a part of the same file only", async () => {
    const etag = (await fetched(site.link(), {}, "HEAD")).reply.headers.get("etag") ?? "";
    const known = await fetched(site.link(), { "if-none-match": etag });
    expect([known.reply.status, known.bytes.length, known.reply.headers.get("etag")]).toEqual([304, 0, etag]);
    expect((await fetched(site.link(), { range: "bytes=0-9", "if-range": etag })).reply.status).toBe(206);
    expect((await fetched(site.link(), { range: "bytes=0-9", "if-range": '"other"' })).reply.status).toBe(200);
  });

  it("HEAD returns the size and no bytes", async () => {
    const { reply, bytes } = await fetched(site.link(), {}, "HEAD");
    expect([reply.status, reply.headers.get("content-length"), bytes.length]).toEqual([200, "2000003", 0]);
  });

  it("a missing, truncated or unreadable file returns 500 without success headers", async () => {
    const path = (id: string): string => join(site.app.deps.config.files.dataDir, "objects", id);
    const ruin: ((id: string) => Promise<void>)[] = [
      (id) => rm(path(id)),
      (id) => truncate(path(id), 4000),
      (id) => rm(path(id)).then(() => mkdir(path(id))),
    ];
    for (const spoil of ruin) {
      const { id, name } = await site.filmOf(mp4Of(5000));
      await spoil(id);
      for (const method of ["GET", "HEAD"]) {
        const { reply, bytes } = await fetched(site.link(name), { range: "bytes=0-9" }, method);
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

  it("cuts a kept connection when a file ends in mid-stream, and logs it once", async () => {
    const { id, name } = await site.filmOf(mp4Of(30_000_000));
    // Without the cut, a kept connection waits for the rest for ever.
    const agent = new Agent({ keepAlive: true });
    const ended = new Promise<string>((resolve) => {
      get(site.link(name), { agent }, (answer) => {
        answer.once("data", () => {
          answer.pause();
          void truncate(join(site.app.deps.config.files.dataDir, "objects", id), 5_000_000).then(() => answer.resume());
        });
        answer.once("end", () => resolve("whole"));
        answer.once("error", (error) => resolve((error as NodeJS.ErrnoException).code ?? ""));
      });
    });
    expect(await ended).toBe("ECONNRESET");
    agent.destroy();
    await soon(() => expect(logged.join("")).toContain("The stored file is shorter than its row says."));
    expect((await fetched(site.link(site.film.name), { range: "bytes=0-9" })).reply.status).toBe(206);
    expect(logged.filter((line) => line.includes("The stored file is shorter"))).toHaveLength(1);
  });

  it("closes the file when the reader disconnects in mid-stream", async () => {
    const large = await site.filmOf(mp4Of(30_000_000));
    const path = join(site.app.deps.config.files.dataDir, "objects", large.id);
    const openFiles = async (): Promise<number> => {
      const targets = await Promise.all(
        (await readdir("/proc/self/fd")).map((descriptor) => readlink(`/proc/self/fd/${descriptor}`).catch(() => "")),
      );
      return targets.filter((target) => target === path).length;
    };
    const reply = await new Promise<IncomingMessage>((resolve) => {
      get(site.link(large.name), (answer) => {
        answer.once("data", () => resolve(answer.pause()));
      });
    });
    expect(await openFiles()).toBe(1);
    reply.destroy();
    await soon(async () => expect(await openFiles()).toBe(0));
  });
});
