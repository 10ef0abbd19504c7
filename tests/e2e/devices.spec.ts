import type { Page } from "@playwright/test";
import { errors } from "../../src/domain/errors/messages.ts";
import { uploadFilm } from "../support/films/on-site.ts";
import { adminSessionOf, caller, joinSite, windowOf, type Call, type Member } from "../support/sites/members.ts";
import { expect, test, type Site } from "../support/sites/site.ts";

interface Prepared {
  student: Member;
  /** The page of a lesson for Starter. */
  lesson: string;
  /** Asks to play it. */
  play: (device: Call) => Promise<unknown>;
  /** Removes the lesson: journeys of one worker share a site, and others count lessons. */
  tidyUp: () => Promise<unknown>;
}

async function prepare(site: Site, fullName: string): Promise<Prepared> {
  const admin = await adminSessionOf(site);
  const asAdmin = caller(site, admin.access_token);
  const upload_id = await uploadFilm(site, admin.access_token, "one-minute.mp4");
  const about = {
    title: `A lesson of ${fullName}`,
    description: "D",
    module: fullName,
    order_index: 1,
    package_type: "starter",
  };
  const { id } = await asAdmin("POST", "/api/videos", { ...about, upload_id });
  const student = await joinSite(site, fullName, true);
  await asAdmin("PUT", "/functions/v1/admin-users", { userId: student.session.user.id, newRole: "starter" });
  return {
    student,
    lesson: `/watch/${id}`,
    play: (device) => device("POST", `/api/videos/${id}/play`),
    tidyUp: () => asAdmin("DELETE", `/api/videos/${id}`),
  };
}

async function anotherDevice(site: Site, { email, password }: Member): Promise<Call> {
  const session = await caller(site)("POST", "/auth/v1/token?grant_type=password", { email, password });
  return caller(site, session.access_token);
}

const film = (page: Page) => page.locator("video");
const isLoaded = (page: Page): Promise<boolean> => film(page).evaluate((video: HTMLVideoElement) => video.readyState > 2);

// DEVICE-1
test("a third device stops the first at once, which can watch again", async ({ browser, site }) => {
  const { student, lesson, play, tidyUp } = await prepare(site, "Nok Shares");
  const [second, third] = [await anotherDevice(site, student), await anotherDevice(site, student)];
  const context = await windowOf(browser, site, student.session);
  const page = await context.newPage();
  await page.goto(lesson);
  await expect.poll(() => isLoaded(page)).toBe(true);

  const watchHere = page.getByRole("button", { name: "Watch here" });
  // Again and again, since the film's own signs of playing may be newer than those of one of the two.
  await expect
    .poll(async () => {
      await play(second);
      await play(third);
      return watchHere.isVisible();
    })
    .toBe(true);
  await expect(page.getByText(errors.playing_elsewhere.text)).toBeVisible();
  await watchHere.click();
  await expect(film(page)).toBeVisible();
  await expect.poll(() => isLoaded(page)).toBe(true);
  await context.close();
  await tidyUp();
});

// DEVICE-3, FILE-11
test("a link to a film opens only in the browser that requested it", async ({ browser, login, page, site }) => {
  const { student, lesson, tidyUp } = await prepare(site, "Lek Copies");
  await login(page, student);
  await page.waitForURL("**/student");
  await page.goto(lesson);
  await expect.poll(() => isLoaded(page)).toBe(true);
  const link = await film(page).evaluate((video: HTMLVideoElement) => video.currentSrc);
  expect((await page.request.get(link, { headers: { range: "bytes=0-9" } })).status()).toBe(206);

  const other = await (await browser.newContext()).newPage();
  expect((await other.goto(link))?.status()).toBe(403);
  await expect(other.getByRole("heading", { name: "This link no longer opens" })).toBeVisible();
  await expect(other.getByText(errors.link_other_browser.text)).toBeVisible();
  await other.context().close();
  await tidyUp();
});
