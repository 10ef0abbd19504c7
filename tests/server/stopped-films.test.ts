import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { familiarDevice, type DeviceOwner } from "#server/features/auth/limits/device";
import { errors, type ErrorCode } from "#domain/errors/messages";
import { startCourse, type Course } from "../support/course/start-course.ts";
import { pay, setUpWallets } from "../support/payments.ts";
import { signIn, student, withSession, type Person } from "../support/people.ts";

let course: Course;
let filmId: string;
beforeAll(async () => {
  course = await startCourse();
  filmId = (await course.add({ upload_id: await course.uploadFilm(9000), package_type: "starter" })).id;
});
afterAll(() => course?.app.close());

/** A person's browser: its session, and the cookie that the sign-in has set. */
interface Browser {
  person: Person;
  cookie: string;
}

async function browserOf({ email, password }: Person, cookie = ""): Promise<Browser> {
  const reply = await fetch(`${course.app.url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { "content-type": "application/json", cookie },
    body: JSON.stringify({ email, password }),
  });
  const session = (await reply.json()) as { access_token: string; refresh_token: string; user: { id: string } };
  const person = withSession(course.app, { id: session.user.id, email, password }, session);
  return { person, cookie: reply.headers.get("set-cookie")!.split(";")[0]! };
}

async function linkFor({ person, cookie }: Browser, headers: Record<string, string> = {}): Promise<string> {
  const sent = { cookie, origin: course.app.url, ...headers };
  const { status, body } = await person.call("POST", `/api/videos/${filmId}/play`, undefined, sent);
  expect(status).toBe(200);
  return body.url;
}

/** Reads the next bytes as a player does; returns the status, or code and text of a refusal. */
async function nextRange(url: string, cookie?: string): Promise<number | [number, string, string]> {
  const headers = { range: "bytes=10-19", ...(cookie === undefined ? {} : { cookie }) };
  const reply = await fetch(url, { headers });
  if (reply.ok) return reply.status;
  const { code, error } = (await reply.json()) as { code: string; error: string };
  return [reply.status, code, error];
}

const refusedAs = (code: ErrorCode): [number, string, string] => [403, code, errors[code].text];

// DEVICE-1, DEVICE-3, VIDEO-3, ACCOUNT-8: each with a code and a text of its own.
describe("a film stops at its next range", () => {
  it("stops a film on the oldest of three devices", async () => {
    const someone = await student(course.app, "starter");
    const browsers = [await browserOf(someone), await browserOf(someone), await browserOf(someone)] as const;
    const links = [await linkFor(browsers[0])];
    course.app.clock.advance(1);
    links.push(await linkFor(browsers[1]));
    expect(await nextRange(links[0]!, browsers[0].cookie)).toBe(206);

    links.push(await linkFor(browsers[2]));

    const read = await Promise.all(links.map((link, index) => nextRange(link, browsers[index]!.cookie)));
    expect(read).toEqual([refusedAs("playing_elsewhere"), 206, 206]);
  });

  it("stops a film in another browser that the link was copied to", async () => {
    const someone = await student(course.app, "starter");
    const own = await browserOf(someone);
    const link = await linkFor(own);
    expect(await nextRange(link, own.cookie)).toBe(206);
    const others = [undefined, "theme=dark", (await browserOf(await student(course.app))).cookie];
    for (const cookie of others) expect(await nextRange(link, cookie)).toEqual(refusedAs("link_other_browser"));
  });

  it("stops a film when the tier is taken away in the middle", async () => {
    const own = await browserOf(await student(course.app, "starter"));
    const link = await linkFor(own);
    expect(await nextRange(link, own.cookie)).toBe(206);
    await course.operator.call("PUT", "/functions/v1/admin-users", { userId: own.person.id, newRole: "unpaid" });
    expect(await nextRange(link, own.cookie)).toEqual(refusedAs("video_locked"));
  });

  // REOPEN-2
  it("stops a film when the approval is undone", async () => {
    await setUpWallets(course.operator);
    const own = await browserOf(await student(course.app));
    const { id } = (await pay(own.person)).body;
    await course.operator.call("POST", `/api/payment-requests/${id}/approve`);
    const link = await linkFor(own);
    expect(await nextRange(link, own.cookie)).toBe(206);
    await course.operator.call("POST", `/api/payment-requests/${id}/reopen`, { reason: "The payment was returned." });
    expect(await nextRange(link, own.cookie)).toEqual(refusedAs("video_locked"));
  });

  it("stops a film when the account is deleted", async () => {
    const own = await browserOf(await student(course.app, "starter"));
    const link = await linkFor(own);
    expect(await nextRange(link, own.cookie)).toBe(206);
    await course.operator.call("DELETE", `/functions/v1/admin-users?userId=${own.person.id}`);
    expect(await nextRange(link, own.cookie)).toEqual(refusedAs("account_deleted"));
  });
});

// DEVICE-3.
describe("a link bound to a browser", () => {
  it("keeps a bound link after another sign-in in the same browser", async () => {
    const someone = await student(course.app, "starter");
    const own = await browserOf(someone);
    const link = await linkFor(own);
    course.app.clock.advance(1);
    const again = await browserOf(someone, own.cookie);
    expect(again.cookie).not.toBe(own.cookie);
    expect(await nextRange(link, again.cookie)).toBe(206);
  });

  it("sets a device cookie where a browser has none, and binds the link to it", async () => {
    const someone = await student(course.app, "starter");
    const reply = await someone.call("POST", `/api/videos/${filmId}/play`, undefined, { origin: course.app.url });
    const cookie = reply.headers.get("set-cookie")!;
    expect(cookie).toMatch(/^device=[\w-]{22}\.unsealed; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict$/);
    expect(await nextRange(reply.body.url, cookie.split(";")[0])).toBe(206);
    expect(await nextRange(reply.body.url)).toEqual(refusedAs("link_other_browser"));

    const again = await someone.call("POST", `/api/videos/${filmId}/play`, undefined, {
      origin: course.app.url,
      cookie: cookie.split(";")[0]!,
    });
    expect(again.headers.get("set-cookie")).toBeNull();
    const [owner] = await course.app.sql<DeviceOwner>("select id, password_hash from accounts where id = $1", [someone.id]);
    expect(familiarDevice(course.app.deps, owner!, cookie.split(/[=;]/)[1])).toBeUndefined();
  });

  it("binds no link of a program, or of a page at another address of the site", async () => {
    const someone = await signIn(course.app, (await student(course.app, "starter")).email, "a fine long password");
    const { body } = await someone.call("POST", `/api/videos/${filmId}/play`);
    expect(await nextRange(body.url)).toBe(206);

    const own = await browserOf(someone);
    expect(await nextRange(await linkFor(own, { origin: "https://www.course.example" }))).toBe(206);
  });

  it("does not contain in a link the cookie that it is bound to", async () => {
    const own = await browserOf(await student(course.app, "starter"));
    const [claims = ""] = new URL(await linkFor(own)).searchParams.get("token")!.split(".");
    const id = own.cookie.split("=")[1]!.split(".")[0]!;
    expect(Buffer.from(claims, "base64url").toString()).not.toContain(id);
  });
});
