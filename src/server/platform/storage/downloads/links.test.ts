import { createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetched, startFilmSite, type FilmSite } from "../../../../../tests/support/films/lesson-with-film.ts";
import { sessionIdOf, student, type Person } from "../../../../../tests/support/people.ts";
import { mp4Of, pngOf, uploader } from "../../../../../tests/support/uploads.ts";

let site: FilmSite;
beforeAll(async () => {
  site = await startFilmSite();
});
afterAll(() => site?.app.close());

const codeOf = async (url: string): Promise<[number, string]> => {
  const reply = await fetch(url);
  return [reply.status, ((await reply.json()) as { code: string }).code];
};

describe("a signed link", () => {
  it("serves a file with its type, its length and headers for caching", async () => {
    const { reply, bytes } = await fetched(site.link());
    expect(reply.status).toBe(200);
    expect(bytes.equals(site.film.bytes)).toBe(true);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      "content-type": "video/mp4",
      "content-length": "2000003",
      "cache-control": "private, max-age=3600",
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
      "content-disposition": "inline; filename=\"lesson.mp4\"; filename*=UTF-8''lesson.mp4",
      "content-security-policy": expect.stringMatching(/^default-src 'none';.* base-uri 'none'; frame-ancestors 'none'$/),
      etag: expect.stringMatching(/^"[^"]+"$/),
    });
  });

  it("a signed link opens without a session", async () => {
    expect((await fetched(site.link())).reply.status).toBe(200);
  });

  it("opens the object of its own bucket and name alone", async () => {
    const second = await site.filmOf(mp4Of(6000));
    const picture = pngOf(7000);
    const screenshot = await uploader(site.app, site.buyer).upload("payment-screenshots", picture);
    await site.app.sql("update stored_objects set name = $2 where id = $1", [screenshot, second.name]);
    const bytesOf = async (link: string) => (await fetched(link)).bytes;
    expect((await bytesOf(site.link())).equals(site.film.bytes)).toBe(true);
    expect((await bytesOf(site.link(second.name))).equals(second.bytes)).toBe(true);
    expect((await bytesOf(site.link(second.name, site.buyer, "payment-screenshots"))).equals(picture)).toBe(true);
  });

  it("a missing, malformed, foreign or expired token returns 403 link_invalid", async () => {
    const good = new URL(site.link());
    const token = good.searchParams.get("token") ?? "";
    const [claims = "", proof = ""] = token.split(".");
    const other = Buffer.from(
      Buffer.from(claims, "base64url").toString().replace(sessionIdOf(site.buyer), sessionIdOf(site.operator)),
    ).toString("base64url");
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
      expect(await codeOf(`${site.app.url}${good.pathname}?token=${bad}`), bad).toEqual([403, "link_invalid"]);
    }
    expect(await codeOf(`${site.app.url}${good.pathname}`)).toEqual([403, "link_invalid"]);
    expect(await codeOf(`${site.app.url}${good.pathname}?token=${token}&token=${token}`)).toEqual([403, "link_invalid"]);
    const second = await site.filmOf(mp4Of(5000));
    expect(await codeOf(`${site.app.url}${good.pathname.replace(site.film.name, second.name)}?token=${token}`)).toEqual([
      403,
      "link_invalid",
    ]);
    expect(
      await codeOf(`${site.app.url}${good.pathname.replace("course-videos", "payment-screenshots")}?token=${token}`),
    ).toEqual([403, "link_invalid"]);
    expect(await codeOf(`${site.app.url}${good.pathname.replace("course-videos", "secrets")}?token=${token}`)).toEqual([
      403,
      "link_invalid",
    ]);
    expect(await codeOf(site.link(site.film.name, site.buyer, "course-videos", 0))).toEqual([403, "link_invalid"]);
  });

  it("refuses a link of an earlier version, which names no session", async () => {
    const { linkKey } = site.app.deps.secrets;
    const payload = { b: "course-videos", n: site.film.name, v: site.buyer.id, exp: Date.now() + 60_000 };
    const claims = Buffer.from(JSON.stringify(payload)).toString("base64url");
    const token = `${claims}.${createHmac("sha256", linkKey).update(claims).digest("base64url")}`;
    const url = `${site.app.url}/storage/v1/object/sign/course-videos/${site.film.name}?token=${token}`;
    expect(await codeOf(url)).toEqual([403, "link_invalid"]);
  });

  it("a signed link expires", async () => {
    const url = site.link(site.film.name, site.buyer, "course-videos", 4 * 3600);
    site.app.clock.advance(4 * 3600 - 5);
    expect((await fetched(url)).reply.status).toBe(200);
    site.app.clock.advance(10);
    expect(await codeOf(url)).toEqual([403, "link_invalid"]);
  });

  it("a signed link works only while its holder has the tier", async () => {
    const url = site.link();
    await site.app.sql("update profiles set subscription_status = 'unpaid' where id = $1", [site.buyer.id]);
    const { reply } = await fetched(url);
    expect([reply.status, reply.headers.get("cache-control")]).toEqual([403, "no-store"]);
    await site.app.sql("update profiles set subscription_status = 'advanced' where id = $1", [site.buyer.id]);
    expect((await fetched(url)).reply.status).toBe(200);
  });

  it("a signed link needs a verified account, and a lesson that has the film", async () => {
    const { id, name } = await site.filmOf(mp4Of(5000));
    const holder = await student(site.app, "advanced");
    const link = site.link(name, holder);
    expect((await fetched(link)).reply.status).toBe(200);
    await site.app.sql("update accounts set email_verified_at = null where id = $1", [holder.id]);
    expect(await codeOf(link)).toEqual([403, "not_allowed"]);
    await site.app.sql("update accounts set email_verified_at = now() where id = $1", [holder.id]);
    await site.app.sql("delete from videos where object_id = $1", [id]);
    expect(await codeOf(link)).toEqual([403, "not_allowed"]);
  });

  it("a signed link stops working when its holder's account is deleted", async () => {
    const leaver = await student(site.app, "advanced");
    const url = site.link(site.film.name, leaver);
    expect((await fetched(url)).reply.status).toBe(200);
    await site.app.sql("delete from accounts where id = $1", [leaver.id]);
    expect(await codeOf(url)).toEqual([403, "account_deleted"]);
  });

  it("a signed link of a deleted object returns 404", async () => {
    const gone = await site.filmOf(mp4Of(5000));
    const url = site.link(gone.name);
    await site.app.sql("delete from videos where object_id = $1", [gone.id]);
    await site.app.sql("delete from stored_objects where id = $1", [gone.id]);
    expect(await codeOf(url)).toEqual([404, "not_found"]);
  });

  it("the name of a download is escaped", async () => {
    const odd = await site.filmOf(mp4Of(5000), 'Übung "1"; x=\\..\\é%41.mp4');
    const disposition = (await fetched(site.link(odd.name))).reply.headers.get("content-disposition");
    expect(disposition).toBe("inline; filename=\"__41.mp4\"; filename*=UTF-8''%C3%A9%2541.mp4");
  });

  it("the name of a download ends in an extension of the type found", async () => {
    const claimed = await site.filmOf(mp4Of(5000), "les\u202Eson.html");
    expect(claimed.name).toBe(`${claimed.id}.mp4`);
    const disposition = (await fetched(site.link(claimed.name))).reply.headers.get("content-disposition");
    expect(disposition).toBe("inline; filename=\"lesson.html.mp4\"; filename*=UTF-8''lesson.html.mp4");
  });
});

describe("a screenshot's link", () => {
  it("a screenshot opens for its owner and the admin, also after the owner is deleted", async () => {
    const owner = await student(site.app);
    const bytes = pngOf(9000);
    const name = await site.nameOf(await uploader(site.app, owner).upload("payment-screenshots", bytes, "paid.png"));
    const open = (viewer: Person) => fetched(site.link(name, viewer, "payment-screenshots"));
    expect((await open(owner)).bytes.equals(bytes)).toBe(true);
    const { headers } = (await open(site.operator)).reply;
    expect(headers.get("content-type")).toBe("image/png");
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'.*; sandbox$/);
    expect((await open(site.buyer)).reply.status).toBe(403);
    await site.app.sql("delete from accounts where id = $1", [owner.id]);
    expect((await open(owner)).reply.status).toBe(403);
    expect((await open(site.operator)).reply.status).toBe(200);
  });
});
