import type { BrowserContext, Locator, Page } from "@playwright/test";
import { addCaptions, uploadFilm } from "../films/on-site.ts";
import { adminSessionOf, caller, joinSite, type Call, type Member } from "../sites/members.ts";
import { expect, type Site } from "../sites/site.ts";

interface Lessons {
  asAdmin: Call;
  student: Member;
  /** A film of a minute with captions, for Starter, and the one after it. */
  first: { id: string };
  second: { id: string };
}

let lessons = 0;

/** A Starter student of the test's own, and two lessons in a module of its own. */
export async function prepareLessons(site: Site): Promise<Lessons> {
  const admin = await adminSessionOf(site);
  const asAdmin = caller(site, admin.access_token);
  const module = `Module ${(lessons += 1)}`;
  const add = async (title: string, order_index: number): Promise<{ id: string }> => {
    const upload_id = await uploadFilm(site, admin.access_token, "one-minute.mp4");
    return asAdmin("POST", "/api/videos", { title, description: "D", module, order_index, package_type: "starter", upload_id });
  };
  const [first, second] = [await add("What a pip is", 1), await add("What a lot is", 2)];
  await addCaptions(asAdmin, first.id);
  const student = await joinSite(site, `Nok Watcher ${lessons}`, true);
  await asAdmin("PUT", "/functions/v1/admin-users", { userId: student.session.user.id, newRole: "starter" });
  return { asAdmin, student, first, second };
}

export const film = (page: Page): Locator => page.locator("video");
export const position = (page: Page): Promise<number> => film(page).evaluate((video: HTMLVideoElement) => video.currentTime);
export const isPaused = (page: Page): Promise<boolean> => film(page).evaluate((video: HTMLVideoElement) => video.paused);

/** Waits until the film is there, and plays it where the browser wanted a key first. */
export async function playing(page: Page): Promise<void> {
  await expect.poll(() => film(page).evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(2);
  // More than once, as the browser may begin to play just before the key, which then pauses.
  await expect(async () => {
    if (await isPaused(page)) await page.keyboard.press("k");
    await expect.poll(() => isPaused(page), { timeout: 2000 }).toBe(false);
  }).toPass();
}

/** Breaks off what a film reads, as a browser reports it; loading anew ends the error. */
export function breakOff(page: Page): Promise<void> {
  return film(page).evaluate((video: HTMLVideoElement) => {
    Object.defineProperty(video, "error", { configurable: true, value: {} });
    video.addEventListener("emptied", () => Reflect.deleteProperty(video, "error"), { once: true });
    video.dispatchEvent(new Event("error"));
  });
}

/** Makes a browser one that plays nothing before it is touched. */
export async function playNothingUntouched(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const { play } = HTMLMediaElement.prototype;
    let isTouched = false;
    addEventListener("pointerdown", () => (isTouched = true), { capture: true });
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      return isTouched ? play.call(this) : Promise.reject(new DOMException("", "NotAllowedError"));
    };
  });
}

/** Expects every control of the bar to be wholly within the film and under nothing else, and those that are never left out to be visible. */
export async function expectControlsInReach(page: Page): Promise<void> {
  for (const label of ["Position", "Captions", "Speed"]) await expect(page.getByLabel(label)).toBeVisible();
  for (const name of [/^(Play|Pause)$/, "Full screen"]) await expect(page.getByRole("button", { name })).toBeVisible();
  await expectInReach(page, "[data-controls] :is(button, select, input)");
}

/** Expects whatever is displayed of these controls to be wholly within the film and under nothing else. */
export async function expectInReach(page: Page, selector: string): Promise<void> {
  const cutOff = (): Promise<(string | null)[]> =>
    page.locator("[data-stage]").evaluate((stage, controls) => {
      const outer = stage.getBoundingClientRect();
      const isReached = (control: Element): boolean => {
        const { left, right, top, bottom } = control.getBoundingClientRect();
        const isWithin = left >= outer.left && right <= outer.right && top >= outer.top && bottom <= outer.bottom;
        const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return isWithin && found !== null && control.contains(found);
      };
      const displayed = [...stage.querySelectorAll(controls)].filter((control) => control.checkVisibility());
      return displayed.filter((control) => !isReached(control)).map((control) => control.ariaLabel ?? control.textContent);
    }, selector);
  await expect.poll(cutOff).toEqual([]);
}
