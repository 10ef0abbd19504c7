import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeBuiltWeb } from "../support/contract/built-web.ts";
import { startFilmSite, type FilmSite } from "../support/films/lesson-with-film.ts";
import { student } from "../support/people.ts";
import { mp4Of } from "../support/uploads.ts";

const navigation = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8";

let site: FilmSite;
let projectDir: string;
beforeAll(async () => {
  projectDir = mkdtempSync(join(tmpdir(), "pipwright-links-"));
  writeBuiltWeb(projectDir);
  site = await startFilmSite({ projectDir, environment: { LOG_LEVEL: "silent" } });
});
afterAll(async () => {
  await site?.app.close();
  rmSync(projectDir, { recursive: true });
});

const ended = async (): Promise<string> => {
  const leaver = await student(site.app, "starter");
  const link = site.link(site.film.name, leaver);
  await leaver.call("POST", "/auth/v1/logout");
  return link;
};
const removed = async (): Promise<string> => {
  const { id, name } = await site.filmOf(mp4Of(5000));
  await site.app.sql("delete from videos where object_id = $1", [id]);
  await site.app.sql("delete from stored_objects where id = $1", [id]);
  return site.link(name);
};

const refusals: [what: string, link: () => string | Promise<string>, status: number, code: string][] = [
  ["an expired link", () => site.link(site.film.name, site.buyer, "course-videos", 0), 403, "link_invalid"],
  ["a link whose session ended", ended, 403, "link_invalid"],
  ["a link that was cut off", () => site.link().slice(0, -4), 403, "link_invalid"],
  ["a link without its token", () => site.link().split("?")[0]!, 403, "link_invalid"],
  ["a link with a broken percent sign", () => `${site.link()}%`, 400, "invalid_input"],
  ["a link to a film that is gone", removed, 404, "not_found"],
  ["a link without the tier", async () => site.link(site.film.name, await student(site.app)), 403, "video_locked"],
];

// FILE-11.
describe("opening a link that is refused", () => {
  it.each(refusals)("sends a browser a page for %s, and a program JSON", async (_what, linkOf, status, code) => {
    const link = await linkOf();
    const page = await fetch(link, { headers: { accept: navigation } });
    expect([page.status, page.headers.get("content-type")]).toEqual([status, "text/html; charset=utf-8"]);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'self';.*frame-ancestors 'none'$/,
    );
    expect(await page.text()).toContain("<title>");

    for (const accept of ["*/*", "video/mp4,video/*;q=0.9,*/*;q=0.5", "application/json"]) {
      const reply = await fetch(link, { headers: { accept } });
      expect([reply.status, await reply.json()]).toMatchObject([status, { code, error: expect.any(String) }]);
    }
  });

  it("sends a browser the film while its link is good", async () => {
    const reply = await fetch(site.link(), { headers: { accept: navigation } });
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "video/mp4"]);
    await reply.body?.cancel();
  });
});
