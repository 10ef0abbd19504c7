import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resetAdminPassword } from "#server/features/auth/service";
import type { TestApp } from "../support/app.ts";
import { startCourse, type Course } from "../support/course/start-course.ts";
import { pay, setUpWallets } from "../support/payments.ts";
import { turnOnSecondFactor } from "../support/second-factor.ts";
import { admin, goodPassword, sessionIdOf, signIn, student, type Person } from "../support/people.ts";

let course: Course;
let app: TestApp;
let filmId: string;
beforeAll(async () => {
  course = await startCourse();
  app = course.app;
  await setUpWallets(course.operator);
  filmId = (await course.add({ upload_id: await course.uploadFilm(9000), package_type: "starter" })).id;
});
afterAll(() => course?.app.close());

const filmLink = async (viewer: Person): Promise<string> => (await viewer.call("POST", `/api/videos/${filmId}/play`)).body.url;
const screenshotLink = async (viewer: Person, requestId: string): Promise<string> =>
  (await viewer.call("GET", `/api/payment-requests/${requestId}/screenshot`)).body.url;

/** Reads the next bytes of a link as a player does. */
async function nextRange(url: string): Promise<number | string> {
  const reply = await fetch(url, { headers: { range: "bytes=10-19" } });
  return reply.ok ? reply.status : ((await reply.json()) as { code: string }).code;
}

const deletion = "the admin, who deletes the account";

/** The ways in which a session ends; `home` is another session of the same account. */
const ends: Record<string, (someone: Person, home: Person) => Promise<unknown>> = {
  "signing out": (someone) => someone.call("POST", "/auth/v1/logout?scope=local"),
  "signing out everywhere": (_someone, home) => home.call("POST", "/auth/v1/logout?scope=global"),
  "a password change elsewhere": (_someone, home) =>
    home.call("PUT", "/auth/v1/user", { password: "another fine long password", current_password: goodPassword }),
  "its owner on another device": (someone, home) => home.call("DELETE", `/api/sessions/${sessionIdOf(someone)}`),
  "its owner, with all others": (_someone, home) => home.call("DELETE", "/api/sessions"),
  [deletion]: (someone) => course.operator.call("DELETE", `/functions/v1/admin-users?userId=${someone.id}`),
  "its age of 30 days": (someone) =>
    app.sql("update sessions set created_at = created_at - interval '30 days' where id = $1", [sessionIdOf(someone)]),
};

// FILE-10.
describe("signed links of a session", () => {
  it.each(Object.keys(ends))("stops signed links at their next range when the session is ended by %s", async (how) => {
    const someone = await student(app, "starter");
    const home = await signIn(app, someone.email, someone.password);
    const paid = await pay(someone, { package_type: "advanced" });
    const links = [await filmLink(someone), await screenshotLink(someone, paid.body.id)];
    expect(await Promise.all(links.map(nextRange))).toEqual([206, 206]);

    await ends[how]!(someone, home);

    const code = how === deletion ? "account_deleted" : "link_invalid";
    expect(await Promise.all(links.map(nextRange))).toEqual([code, code]);
  });

  it("keeps signed links when another session ends, and signs new ones after sign-in", async () => {
    const someone = await student(app, "starter");
    const home = await signIn(app, someone.email, someone.password);
    const link = await filmLink(home);
    await someone.call("POST", "/auth/v1/logout?scope=local");
    expect(await nextRange(link)).toBe(206);
    await home.call("POST", "/auth/v1/logout?scope=local");
    expect(await nextRange(link)).toBe("link_invalid");
    expect(await nextRange(await filmLink(await signIn(app, someone.email, someone.password)))).toBe(206);
  });

  it("keeps signed links when the session's tokens are renewed", async () => {
    const someone = await student(app, "starter");
    const link = await filmLink(someone);
    const path = "/auth/v1/token?grant_type=refresh_token";
    expect((await someone.call("POST", path, { refresh_token: someone.refreshToken })).status).toBe(200);
    expect(await nextRange(link)).toBe(206);
  });

  it("opens signed links in a session that has passed the second factor", async () => {
    const { person } = await turnOnSecondFactor(app, await student(app, "starter"));
    expect(await nextRange(await filmLink(person))).toBe(206);
  });

  it("stops the admin's links at sign-out and at a password reset on the server", async () => {
    const { id } = (await pay(await student(app))).body;
    const [office, phone] = [await admin(app), await admin(app)];
    const links = [await screenshotLink(office, id), await screenshotLink(phone, id), await filmLink(phone)];
    await office.call("POST", "/auth/v1/logout?scope=local");
    expect(await Promise.all(links.map(nextRange))).toEqual(["link_invalid", 206, 206]);
    await resetAdminPassword(app.deps);
    expect(await Promise.all(links.map(nextRange))).toEqual(["link_invalid", "link_invalid", "link_invalid"]);
  });
});
