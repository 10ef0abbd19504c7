import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { filmJobOf } from "../../../../../tests/support/films/job.ts";
import { fetched, startFilmSite, type FilmSite } from "../../../../../tests/support/films/lesson-with-film.ts";
import { repeatedFilm, samplesByFragments, samplesByTables } from "../../../../../tests/support/films/mp4-samples.ts";
import { filmSample } from "../../../../../tests/support/films/samples.ts";
import { fixedPort } from "../../../../../tests/support/network/fixed-port.ts";
import { hasNginx } from "../../../../../tests/support/network/nginx.ts";
import { mp4Of } from "../../../../../tests/support/uploads.ts";

let site: FilmSite;
beforeAll(async () => {
  site = await startFilmSite({ environment: { ACCEL_REDIRECT: "/stored-files", LOG_LEVEL: "silent" } });
});
afterAll(() => site?.app.close());

// FILE-17.
describe("a download that nginx sends", () => {
  it("has no bytes of the site, but their type, name and place", async () => {
    const { reply, bytes } = await fetched(site.link(), { range: "bytes=0-9", "if-none-match": "*" });
    expect([reply.status, bytes.length]).toEqual([200, 0]);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      "x-accel-redirect": `/stored-files/${site.film.id}`,
      "content-type": "video/mp4",
      "content-disposition": `inline; filename="lesson.mp4"; filename*=UTF-8''lesson.mp4`,
      "cache-control": "private, max-age=3600",
    });
  });

  it("is named after the link was checked, and only while all of its bytes are there", async () => {
    const forged = await fetched(site.link().replace(/.$/, (last) => (last === "A" ? "B" : "A")));
    expect([forged.reply.status, forged.reply.headers.get("x-accel-redirect")]).toEqual([403, null]);
    const { id, name } = await site.filmOf(mp4Of(5000));
    await truncate(join(site.app.deps.config.files.dataDir, "objects", id), 4000);
    const damaged = await fetched(site.link(name));
    expect([damaged.reply.status, damaged.reply.headers.get("x-accel-redirect")]).toEqual([500, null]);
  });

  it("is not one of a film in fragments, which the site joins and sends itself", async () => {
    const uploaded = repeatedFilm(await filmSample("one-minute.mp4"), 150);
    await site.filmOf(uploaded);
    const films = filmJobOf(site.app);
    onTestFinished(films.close);
    await films.job.run();
    const [rewritten] = await site.app.sql<{ name: string }>(
      "select name from stored_objects join films on object_id = id where fragments_at is not null",
    );
    const link = site.link(rewritten?.name);
    const { reply, bytes } = await fetched(`${link}&layout=fragments`, { range: "bytes=0-" });
    expect([reply.status, reply.headers.get("x-accel-redirect")]).toEqual([206, null]);
    expect(samplesByFragments(bytes)).toEqual(samplesByTables(uploaded));
    expect((await fetched(link)).reply.headers.get("x-accel-redirect")).toMatch("/stored-files/");
  });

  it.each(["stored-files", "/stored files", "/stored-files/", "/../x", "/"])(
    "is not configured by the path %s",
    async (path) => {
      await expect(startFilmSite({ environment: { ACCEL_REDIRECT: path } })).rejects.toThrow("ACCEL_REDIRECT");
    },
  );
});

interface Nginx {
  origin: string;
  stop: () => Promise<void>;
}

describe.runIf(hasNginx)("behind nginx with the file of deploy (skipped where it is not installed)", () => {
  let nginx: Nginx;
  const through = (link: string): string => link.replace(site.app.url, nginx.origin);
  beforeAll(async () => {
    nginx = await startNginx(site);
  });
  afterAll(() => nginx?.stop());

  it("sends whole files, ranges and what is said of them", async () => {
    const whole = await fetched(through(site.link()));
    expect(whole.bytes.equals(site.film.bytes)).toBe(true);
    const part = await fetched(through(site.link()), { range: "bytes=1000000-" });
    expect([part.reply.status, part.reply.headers.get("content-range")]).toEqual([206, "bytes 1000000-2000002/2000003"]);
    expect(part.bytes.equals(site.film.bytes.subarray(1_000_000))).toBe(true);
    const several = await fetched(through(site.link()), { range: "bytes=0-1,5-6" });
    expect([several.reply.status, several.bytes.length]).toEqual([200, 2_000_003]);
    const head = await fetched(through(site.link()), {}, "HEAD");
    expect([head.reply.headers.get("content-length"), head.bytes.length]).toEqual(["2000003", 0]);
  });

  it("sends each header that the site sends with a file by itself", async () => {
    const own = await startFilmSite();
    const [{ reply: bySite }, { reply: byNginx }] = [await fetched(own.link()), await fetched(through(site.link()))];
    await own.app.close();
    const changing = new Set(["date", "etag", "connection", "keep-alive", "transfer-encoding"]);
    const headers = [...bySite.headers].filter(([name]) => !changing.has(name));
    expect(Object.fromEntries(byNginx.headers)).toMatchObject(Object.fromEntries(headers));
  });

  it("knows a file again, and sends a part only of the same", async () => {
    const etag = (await fetched(through(site.link()))).reply.headers.get("etag") ?? "";
    expect((await fetched(through(site.link()), { "if-none-match": etag })).reply.status).toBe(304);
    expect((await fetched(through(site.link()), { range: "bytes=0-9", "if-range": etag })).reply.status).toBe(206);
    expect((await fetched(through(site.link()), { range: "bytes=0-9", "if-range": '"other"' })).reply.status).toBe(200);
  });

  it("has no address of its own for a file", async () => {
    expect((await fetched(`${nginx.origin}/stored-files/${site.film.id}`)).reply.status).toBe(404);
    expect((await fetched(`${nginx.origin}/stored-files/../stored-files/${site.film.id}`)).reply.status).toBe(404);
  });
});

/** Starts nginx with the file of `deploy/nginx`, but for TLS, the ports and the paths. */
async function startNginx({ app }: FilmSite): Promise<Nginx> {
  const home = await mkdtemp(join(tmpdir(), "pipwright-nginx-"));
  const port = await fixedPort();
  const replacements: [string, string][] = [
    ["listen 443 ssl http2;", `listen 127.0.0.1:${port};`],
    ["127.0.0.1:3000", new URL(app.url).host],
    ["/var/lib/pipwright", app.deps.config.files.dataDir],
  ];
  let server = (await readFile("deploy/nginx/pipwright.conf", "utf8"))
    .replace(/server \{\s*listen 80;[^}]*\}/, "")
    .replaceAll(/^ *(?:ssl_|listen \[::\]).*$/gm, "");
  for (const [example, own] of replacements) {
    expect(server).toContain(example);
    server = server.replace(example, own);
  }
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${home}/${name};`);
  await mkdir(join(home, "logs"));
  await writeFile(
    join(home, "nginx.conf"),
    `${process.getuid?.() === 0 ? "user root;" : ""} daemon off; pid ${home}/nginx.pid; error_log ${home}/error.log;
     events {} http { access_log off; include /etc/nginx/mime.types; ${folders.join(" ")} ${server} }`,
  );
  const child: ChildProcess = spawn("nginx", ["-p", home, "-c", join(home, "nginx.conf"), "-e", join(home, "error.log")]);
  const ended = once(child, "exit");
  const origin = `http://127.0.0.1:${port}`;
  await vi.waitUntil(
    () =>
      fetch(`${origin}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    { timeout: 90_000 },
  );
  return {
    origin,
    async stop() {
      child.kill();
      await ended;
      await rm(home, { recursive: true });
    },
  };
}
