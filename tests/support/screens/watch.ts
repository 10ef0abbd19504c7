import type { Page, Route } from "@playwright/test";
import { filmSample } from "../films/samples.ts";
import type { Video } from "../../../src/domain/api/course/videos.ts";
import { lessonsAddress, type Course } from "../sites/course.ts";
import { refuse, seen, type Screen } from "./screen.ts";

const link = "/storage/v1/object/sign/course-videos/lesson.mp4?token=screens";

/** Opens the first lesson of a package. */
async function openLesson(page: Page, course: Course, packageType = "starter"): Promise<void> {
  const { items } = await course.asAdmin("GET", "/api/videos?limit=100");
  await page.goto(`/watch/${items.find((video: Video) => video.package_type === packageType).id}`);
}

/** Changes the lessons that may be played, by their place in the list. */
const changeLessons = (page: Page, change: (index: number) => Partial<Video>): Promise<unknown> =>
  page.route("**/api/videos?*", async (route) => {
    const reply = await (await route.fetch()).json();
    for (const [index, item] of reply.items.entries()) if (item.playable) Object.assign(item, change(index));
    await route.fulfill({ json: reply });
  });

/** Makes every lesson an uploaded one with a film of a minute and captions, left in its middle. */
async function withFilm(page: Page, watermark: string | null = null): Promise<void> {
  const bytes = await filmSample("one-minute.mp4");
  await changeLessons(page, (index) => ({
    source: "upload",
    video_url: undefined,
    captions: [{ language: "en", label: "English", url: "/captions.vtt" }],
    attachments: [{ id: "1", filename: "Checklist.pdf", size_bytes: 48_200, content_type: "application/pdf" }],
    duration_seconds: 60,
    progress: { position_seconds: 25, done: index % 3 === 2, watched_at: "2026-11-20T08:00:00.000Z" },
  }));
  await page.route("**/captions.vtt", (route) =>
    route.fulfill({
      contentType: "text/vtt",
      body: "WEBVTT\n\n00:00.000 --> 01:00.000\nBuy what has broken its structure,\nnot what looks cheap.\n",
    }),
  );
  await page.route("**/sign/course-videos/lesson.mp4*", (route) => sendRange(route, bytes));
  const progress = { position_seconds: 25, done: false };
  await page.route("**/api/videos/*/play", (route) =>
    route.fulfill({
      json: { url: new URL(link, page.url()).href, expires_at: "2099-01-01T00:00:00.000Z", watermark, progress },
    }),
  );
  await page.route("**/api/videos/*/progress", (route) => route.fulfill({ json: progress }));
}

/** Sends the rest of a file from where the request wants it: without ranges, browsers do not seek. */
async function sendRange(route: Route, bytes: Buffer): Promise<void> {
  const from = Number(/bytes=(\d+)/.exec(route.request().headers()["range"] ?? "")?.[1] ?? 0);
  const headers = { "accept-ranges": "bytes", "content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
  await route.fulfill({ status: 206, contentType: "video/mp4", headers, body: bytes.subarray(from) });
}

const film = (page: Page) => page.locator("video");

/** A lesson whose film is there and paused, so that every look at it sees the same. */
async function openFilm(page: Page, course: Course, watermark?: string): Promise<void> {
  await withFilm(page, watermark);
  await openLesson(page, course);
  await page.waitForFunction(() => (document.querySelector("video")?.readyState ?? 0) > 2);
  await film(page).evaluate((video: HTMLVideoElement) => video.pause());
}

/** The player, its film running or stopped. */
export const watchScreens: Screen[] = [
  {
    name: "watch, film",
    as: "starter",
    open: async (page, course) => {
      await openFilm(page, course);
      await seen(page.getByText("where you left it"));
    },
  },
  {
    name: "watch, watermark",
    as: "starter",
    open: async (page, course) => {
      await openFilm(page, course, "nok.suksawat@example.com");
      await seen(page.getByText("nok.suksawat@example.com"));
    },
  },
  {
    name: "watch, captions",
    as: "starter",
    open: async (page, course) => {
      await openFilm(page, course);
      await page.getByLabel("Captions").selectOption("en");
      await seen(page.getByText("not what looks cheap."));
    },
  },
  {
    name: "watch, shortcuts",
    as: "starter",
    open: async (page, course) => {
      await openFilm(page, course);
      await page.keyboard.press("?");
      await seen(page.getByRole("dialog", { name: "Keyboard shortcuts" }));
    },
  },
  {
    name: "watch, end of the film",
    as: "starter",
    open: async (page, course) => {
      await openFilm(page, course);
      await film(page).evaluate((video: HTMLVideoElement) => {
        video.currentTime = 60;
        video.muted = true;
        return video.play();
      });
      await seen(page.getByRole("button", { name: "Go on" }));
    },
  },
  {
    name: "watch, waiting for the connection",
    as: "starter",
    open: async (page, course) => {
      await withFilm(page);
      await page.route("**/api/videos/*/play", (route) => route.abort());
      await openLesson(page, course);
      await seen(page.getByText("Waiting for the connection"));
    },
  },
  {
    name: "watch, playing on another device",
    as: "starter",
    open: async (page, course) => {
      await withFilm(page);
      await refuse(page, "**/api/videos/*/play", "Another device now plays with this account.", "playing_elsewhere");
      await openLesson(page, course);
      await seen(page.getByRole("button", { name: "Watch here" }));
    },
  },
  {
    name: "watch, no such lesson",
    as: "starter",
    open: async (page) => {
      await page.goto("/watch/00000000-0000-4000-8000-000000000000");
      await seen(page.getByRole("alert"));
    },
  },
  {
    name: "watch, lessons not loaded",
    as: "starter",
    open: async (page, course) => {
      await withFilm(page);
      await refuse(page, "**/api/videos?*");
      await openLesson(page, course);
      await seen(page.getByRole("button", { name: "Try again" }));
    },
  },
  {
    name: "watch, film at an outside address",
    as: "starter",
    open: async (page, course) => {
      await changeLessons(page, () => ({ source: "url", video_url: lessonsAddress }));
      await openLesson(page, course);
      await seen(page.getByText("This film opens in a tab of its own."));
    },
  },
  {
    name: "watch, locked",
    as: "starter",
    open: async (page, course) => {
      await openLesson(page, course, "advanced");
      await seen(page.getByText("This lesson is part of Advanced"));
    },
  },
  {
    name: "watch, locked while a payment waits",
    as: "waiting",
    open: async (page, course) => {
      await openLesson(page, course, "starter");
      await seen(page.getByRole("alert").getByRole("link", { name: "Waiting for approval" }));
    },
  },
];
