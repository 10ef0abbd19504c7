// Over 250 lines: every journey of the player, over lessons that one function prepares.
import type { Locator, Page } from "@playwright/test";
import { filmSample } from "../support/films/samples.ts";
import { tabTo } from "../support/browser/keyboard.ts";
import {
  breakOff,
  expectControlsInReach,
  film,
  isPaused,
  playing,
  playNothingUntouched,
  position,
  prepareLessons,
} from "../support/browser/player.ts";
import { uploadBytes } from "../support/films/on-site.ts";
import { adminSessionOf, caller, windowOf } from "../support/sites/members.ts";
import { repeatedFilm } from "../support/films/mp4-samples.ts";
import { expect, test } from "../support/sites/site.ts";

const heading = (page: Page, name: string): Locator => page.getByRole("heading", { name });

// WATCH-3, WATCH-4, WATCH-7
test("a lesson is watched by keyboard with captions, and goes on at another device", async ({ browser, site }) => {
  const { student, first, second } = await prepareLessons(site);
  const window = () => windowOf(browser, site, student.session);
  const dashboard = await (await window()).newPage();
  await dashboard.goto("/student");
  // By its id, as lessons of other journeys bear the same name.
  const card = dashboard.getByRole("article").filter({ has: dashboard.locator(`#video-${first.id}`) });
  await card.getByRole("button", { name: "Watch Now" }).focus();
  const opened = dashboard.waitForEvent("popup");
  await dashboard.keyboard.press("Enter");
  const page = await opened;

  await test.step("Watch Now opens the player in a tab with the lesson's name", async () => {
    await page.waitForURL(`**/watch/${first.id}`);
    await expect(heading(page, "What a pip is")).toBeVisible();
    await expect(page).toHaveTitle(/^What a pip is – /);
    await playing(page);
  });

  await test.step("keys show captions, skip, and change the speed", async () => {
    await page.keyboard.press("c");
    await expect(page.getByText("A pip is the smallest step.")).toBeVisible();
    await page.keyboard.press("6");
    await expect(page.getByText("A lot is how much you trade.")).toBeVisible();
    await page.keyboard.press(">");
    await expect(page.getByLabel("Speed")).toHaveValue("1.25");
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
    await page.keyboard.press("k");
    await page.keyboard.press("Escape");
    await expect(heading(page, "What a pip is")).toBeFocused();
    expect(await isPaused(page)).toBe(false);
    await page.keyboard.press("k");
    await expect.poll(() => isPaused(page)).toBe(true);
    await page.keyboard.press("k");
    await expect.poll(() => isPaused(page)).toBe(false);
  });

  await test.step("every control can be reached, and stays in sight while it has the focus", async () => {
    // So that the film does not end on the way, which leads past every lesson that can be played.
    await page.keyboard.press("1");
    await tabTo(page, page.getByRole("button", { name: "Pause" }));
    await page.keyboard.press("6");
    // The pointer hides once nobody has touched the film for a while.
    await expect(page.locator("[data-stage] > div")).toHaveCSS("cursor", "none");
    const opacity = await page.locator("[data-controls]").evaluate(async (bar) => {
      await Promise.all(bar.getAnimations().map(({ finished }) => finished));
      return getComputedStyle(bar).opacity;
    });
    expect(opacity).toBe("1");
    await page.keyboard.press("Enter");
    await expect.poll(() => isPaused(page)).toBe(true);
    await tabTo(page, page.getByRole("button", { name: "Full screen" }));
    expect(await position(page)).toBeGreaterThan(35);
  });

  const left = await position(page);
  await test.step("another device goes on where it was left", async () => {
    await expect
      .poll(async () => {
        const { items } = await student.call("GET", "/api/videos");
        return Math.abs(items.find(({ id }: { id: string }) => id === first.id).progress?.position_seconds - left);
      })
      // A place less than half a second from the saved one is not saved again.
      .toBeLessThan(1);
    const other = await (await window()).newPage();
    await other.goto(`/watch/${first.id}`);
    await expect(other.getByText("where you left it")).toBeVisible();
    await playing(other);
    expect(await position(other)).toBeGreaterThan(left - 1);
    await expect(other.getByText("A lot is how much you trade.")).toBeHidden();
    await other.getByRole("button", { name: "Start over" }).click();
    await expect.poll(() => position(other)).toBeLessThan(10);
  });

  await test.step("the end offers the next lesson, and this one is done", async () => {
    // Playing first: at its end a film begins anew.
    await playing(page);
    await page.keyboard.press("9");
    await page.keyboard.press("l");
    await page.getByRole("button", { name: "Go on" }).click();
    await page.waitForURL(`**/watch/${second.id}`);
    await expect(heading(page, "What a lot is")).toBeFocused();
    await playing(page);
    await page.keyboard.press("k");
    await expect.poll(() => isPaused(page)).toBe(true);
    await expect(page.getByRole("link", { name: /What a pip is.*Done/ })).toBeVisible();
    await page.getByRole("button", { name: "Mark as done" }).click();
    await expect(page.getByRole("button", { name: "Mark as not done" })).toBeVisible();
    await expect(dashboard.getByText("2 of 2 done")).toBeVisible();
  });
});

// WATCH-7
test("on a phone the middle of the play button plays the film", async ({ browser, site }) => {
  const { student, first } = await prepareLessons(site);
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const context = await windowOf(browser, site, student.session, phone);
  await playNothingUntouched(context);
  const page = await context.newPage();
  await page.goto(`/watch/${first.id}`);
  await expect.poll(() => film(page).evaluate((video: HTMLVideoElement) => video.readyState)).toBeGreaterThan(2);
  const { x, y, width, height } = (await page.getByRole("button", { name: "Play the lesson" }).boundingBox())!;
  // The lower end too, where the bar of controls reaches up to it.
  for (const share of [0.5, 0.9]) {
    const [at, label] = [{ x: x + width / 2, y: y + height * share }, "Play the lesson"];
    const found = await page.evaluate((point) => document.elementFromPoint(point.x, point.y)?.closest("button")?.ariaLabel, at);
    expect(found).toBe(label);
  }
  await page.touchscreen.tap(x + width / 2, y + height / 2);
  await expect.poll(() => isPaused(page)).toBe(false);
  // A tap on the paused film leaves its controls in reach.
  await film(page).evaluate((video: HTMLVideoElement) => video.pause());
  await page.touchscreen.tap(x + width / 2, y);
  await page.getByRole("button", { name: "Play", exact: true }).tap();
  await expect.poll(() => isPaused(page)).toBe(false);
  await context.close();
});

// WATCH-7
test("a double tap says how far it skipped, under reduced motion too", async ({ browser, site }) => {
  const { student, first } = await prepareLessons(site);
  const context = await windowOf(browser, site, student.session, { reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(`/watch/${first.id}`);
  await film(page).evaluate((video) => {
    const { left, width } = video.getBoundingClientRect();
    const tap = { bubbles: true, pointerType: "touch", clientX: left + width * 0.9 };
    for (let taps = 0; taps < 2; taps++)
      for (const event of ["pointerdown", "click"]) video.dispatchEvent(new PointerEvent(event, tap));
  });
  const opacityHalfway = await page.getByText("+10 s").evaluate((sign) => {
    for (const animation of sign.getAnimations()) animation.currentTime = 350;
    return getComputedStyle(sign).opacity;
  });
  expect(opacityHalfway).toBe("1");
  await context.close();
});

// WATCH-7
test("captions kept from another film are displayed when a lesson is opened", async ({ browser, site }) => {
  const { student, first } = await prepareLessons(site);
  const context = await windowOf(browser, site, student.session);
  const page = await context.newPage();
  // The film is there before the list of lessons, which has its captions.
  await page.route("**/api/videos?*", async (route) => {
    await film(page).waitFor({ state: "attached" });
    await route.continue();
  });
  await page.goto(`/watch/${first.id}`);
  await page.getByLabel("Captions").selectOption("English");
  await page.reload();
  await playing(page);
  await expect(page.getByLabel("Captions")).toHaveValue("en");
  await expect(page.getByText("A pip is the smallest step.")).toBeVisible();
  await context.close();
});

test("the list of lessons leaves room for the focus ring", async ({ browser, site }) => {
  const { student, first } = await prepareLessons(site);
  const context = await windowOf(browser, site, student.session);
  const page = await context.newPage();
  await page.goto(`/watch/${first.id}`);
  const row = page.getByRole("navigation", { name: "Lessons" }).getByRole("link").first();
  await tabTo(page, row);
  const room = await row.evaluate((link) => {
    const [ring, inner] = [link.getBoundingClientRect(), link.closest("aside")!.getBoundingClientRect()];
    const { outlineWidth, outlineOffset } = getComputedStyle(link);
    const reach = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
    return [ring.left - inner.left - reach, inner.left + link.closest("aside")!.clientWidth - ring.right - reach];
  });
  for (const pixels of room) expect(pixels).toBeGreaterThanOrEqual(0);
  await context.close();
});

// WATCH-5, WATCH-6
test("a film stops with its reason and its next step, and goes on when it may", async ({ browser, site }) => {
  const { asAdmin, student, first, second } = await prepareLessons(site);
  const context = await windowOf(browser, site, student.session);
  const page = await context.newPage();
  const setTier = (newRole: string): Promise<unknown> =>
    asAdmin("PUT", "/functions/v1/admin-users", { userId: student.session.user.id, newRole });
  await page.goto(`/watch/${first.id}`);
  await playing(page);

  await test.step("a package that is taken away mid-film", async () => {
    await page.keyboard.press("5");
    await expect.poll(() => position(page)).toBeGreaterThan(29);
    await setTier("unpaid");
    await expect(page.getByRole("alert")).toContainText("This lesson is part of Starter");
    await expect(film(page)).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Get Starter" })).toHaveAttribute("href", "/payment?package=starter");
    await setTier("starter");
    await playing(page);
    expect(await position(page)).toBeGreaterThan(29);
  });

  await test.step("a link that is refused is renewed unseen", async () => {
    const refusal = { status: 403, json: { error: "This link is invalid or has expired.", code: "link_invalid" } };
    await page.route("**/sign/course-videos/**", (route) => route.fulfill(refusal), { times: 1 });
    const renewed = page.waitForResponse((reply) => reply.url().endsWith(`/api/videos/${first.id}/play`));
    await breakOff(page);
    await renewed;
    await playing(page);
    expect(await position(page)).toBeGreaterThan(29);
  });

  await test.step("a connection that is gone is waited for", async () => {
    await context.setOffline(true);
    await breakOff(page);
    await expect(page.getByText("Waiting for the connection")).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByText("Waiting for the connection")).toBeHidden();
    await playing(page);
  });

  await test.step("a lesson that is deleted", async () => {
    await asAdmin("DELETE", `/api/videos/${first.id}`);
    await expect(page.getByRole("alert")).toContainText("This video no longer exists.");
    await page.getByRole("link", { name: "Back to your lessons" }).click();
    await page.waitForURL("**/student");
  });

  await test.step("a session that ends", async () => {
    await page.goto(`/watch/${second.id}`);
    await playing(page);
    await student.call("POST", "/auth/v1/logout?scope=global").catch(() => {});
    await expect(heading(page, "You are signed out")).toBeVisible();
    await expect(page.getByRole("link", { name: "Sign in" })).toHaveAttribute("href", `/auth?next=%2Fwatch%2F${second.id}`);
  });
});

// FILE-16
test("a film of hours plays in fragments, from its middle and after a jump", async ({ browser, site }) => {
  const { asAdmin, student, first } = await prepareLessons(site);
  const { access_token } = await adminSessionOf(site);
  const bytes = repeatedFilm(await filmSample("one-minute.mp4"), 150);
  const upload_id = await uploadBytes(site, access_token, "hours.mp4", bytes);
  await asAdmin("PATCH", `/api/videos/${first.id}`, { upload_id });
  const playability = async (): Promise<string | null> =>
    (await asAdmin("GET", "/api/videos?limit=100")).items.find(({ id }: { id: string }) => id === first.id).playability;
  await expect.poll(playability).toBe("plays");
  const asStudent = caller(site, student.session.access_token);
  await asStudent("PUT", `/api/videos/${first.id}/progress`, { position_seconds: 5000, duration_seconds: 9000, done: false });

  const window = await windowOf(browser, site, student.session);
  const page = await window.newPage();
  await page.goto(`/watch/${first.id}`);
  await playing(page);
  await expect(film(page)).toHaveCSS("opacity", "1");
  await expect(film(page)).toHaveAttribute("src", /&layout=fragments$/);
  expect(Math.round(await film(page).evaluate((video: HTMLVideoElement) => video.duration))).toBe(9000);
  await expect.poll(() => position(page)).toBeGreaterThan(5000);
  for (const [key, seconds] of [
    ["9", 8100],
    ["1", 900],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(() => position(page)).toBeGreaterThan(seconds);
    expect(await position(page)).toBeLessThan(seconds + 60);
  }

  // Its time is the longest text beside the controls (WATCH-7).
  await page.keyboard.press("k");
  await expect.poll(() => isPaused(page)).toBe(true);
  for (const width of [1440, 390, 360]) {
    await page.setViewportSize({ width, height: 844 });
    await expectControlsInReach(page);
  }
  await window.close();
});

// WATCH-3, WATCH-5
test("skips while the film loads count from where it was left", async ({ browser, site }) => {
  const { student, first } = await prepareLessons(site);
  await student.call("PUT", `/api/videos/${first.id}/progress`, { position_seconds: 30, duration_seconds: 60, done: false });
  const context = await windowOf(browser, site, student.session);
  const page = await context.newPage();
  let send = (): void => {};
  const skipped = new Promise<void>((resolve) => (send = resolve));
  await page.route("**/sign/course-videos/**", async (route) => {
    await skipped;
    await route.continue();
  });
  await page.goto(`/watch/${first.id}`);
  await expect(film(page)).toHaveAttribute("src", /token=/);
  for (const key of ["0", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  send();
  await playing(page);
  expect(await position(page)).toBeGreaterThan(39);
  await expect(film(page)).toHaveCSS("opacity", "1");
  await context.close();
});
