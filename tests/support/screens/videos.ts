import { join } from "node:path";
import type { Page } from "@playwright/test";
import type { Video } from "../../../src/domain/api/course/videos.ts";
import { errors } from "../../../src/domain/errors/messages.ts";
import { adminScreen, openTab } from "./admin-screen.ts";
import { dialogOn, emptied, keepWaiting, refuse, seen, type Screen } from "./screen.ts";

/** Fewer begin each lesson, and most who stop do so early. */
const watchedBy = ({ id }: { id: string }, index: number) => {
  const stopped = [41, 17, 9, 6, 4, 4, 3, 2, 2, 5].map((students) => Math.ceil(students / (index + 1)));
  const done = Math.round(214 / (index + 1));
  return { video_id: id, started: stopped.reduce((sum, students) => sum + students, done), done, stopped };
};

const notBegun = {
  items: [
    { email: "nok.suksawat@example.com", full_name: "Nok Suksawat", subscription_status: "starter", days_since_approval: 8 },
    {
      email: `${"wichai-the-second-of-that-name.".repeat(3)}pattana@mail.example.com`,
      full_name: "Wichai Pattana",
      subscription_status: "advanced",
      days_since_approval: 131,
    },
  ].map((student, index) => ({
    ...student,
    id: `00000000-0000-4000-8000-00000000000${index}`,
    approved_at: "2026-11-12T08:00:00.000Z",
  })),
  next_cursor: "more",
};

const sampleFilm = join(import.meta.dirname, "../../../samples/videos/psychology-1.mp4");

/** Gives every lesson of the list captions and downloads, one with a name that breaks no line by itself. */
async function withMaterials(page: Page): Promise<void> {
  const names = ["pip-values.csv", `${"position-sizes-".repeat(8)}2026.xlsx`];
  const attachments = names.map((filename, index) => ({
    id: `00000000-0000-4000-8000-00000000000${index}`,
    filename,
    size_bytes: 18_000 * (index + 1),
    content_type: "text/csv",
  }));
  const captions = [
    { language: "en", label: "English", url: "/en" },
    { language: "th", label: "ไทย", url: "/th" },
  ];
  await page.route("**/api/videos?*", async (route) => {
    const { items, ...rest } = await (await route.fetch()).json();
    await route.fulfill({
      json: { ...rest, items: items.map((item: Video) => ({ ...item, source: "upload", captions, attachments })) },
    });
  });
}

/** The Videos tab with rows, without, with forms and dialogs open, and the preview. */
export const videoScreens: Screen[] = [
  adminScreen("videos", async (page) => {
    await openTab(page, "videos");
    await seen(page.getByRole("checkbox", { name: /^Select all of/ }));
  }),
  adminScreen("videos, changing a package", async (page) => {
    await openTab(page, "videos");
    await page.getByRole("checkbox", { name: "Select all of Forex Basics" }).click();
    await page.getByRole("button", { name: "Change package" }).click();
    await dialogOn(page);
    await page.getByRole("alertdialog").getByRole("button", { name: "Change package" }).click();
    await seen(page.getByText("Please choose a package."));
  }),
  adminScreen("videos, merging modules", async (page) => {
    await openTab(page, "videos");
    await page.getByRole("button", { name: "Psychology", exact: true }).click();
    await page.getByRole("textbox", { name: "Name of module Psychology" }).fill("Live Trading");
    await page.keyboard.press("Enter");
    await dialogOn(page);
  }),
  adminScreen("adding a video, twice", async (page) => {
    await openTab(page, "videos");
    await page.getByRole("button", { name: "Add video" }).click();
    await page.getByLabel("Title", { exact: true }).fill("The journal");
    await page.getByLabel("Module", { exact: true }).fill("Psychology");
    await seen(page.getByText("Is this the same lesson twice?"));
  }),
  adminScreen("preview as a student", async (page) => {
    await page.goto("/admin/preview?tier=starter");
    await seen(page.getByRole("heading", { name: "Lessons" }));
    await page.getByRole("link", { name: "Upgrade to Advanced" }).click();
    await seen(page.getByText("Only students can do this"));
  }),
  adminScreen("videos, watched", async (page) => {
    await page.route("**/api/videos/statistics", async (route) => {
      const { items } = await (await page.request.get("/api/videos?limit=100", { headers: route.request().headers() })).json();
      await route.fulfill({ json: { videos: items.map(watchedBy) } });
    });
    await page.route("**/api/students-not-begun*", (route) => route.fulfill({ json: notBegun }));
    await openTab(page, "videos");
    await page.getByText("Where people stop").first().click();
    await seen(page.getByRole("row", { name: /nok\.suksawat/ }));
  }),
  {
    ...adminScreen("videos, selected", async (page) => {
      await openTab(page, "videos");
      await page
        .getByRole("checkbox", { name: /^Select all of/ })
        .first()
        .check();
      await seen(page.getByRole("region", { name: "Selected lessons" }).getByText(/lessons? selected/));
    }),
    isSeenAtItsEnd: true,
  },
  adminScreen("videos, changing a title", async (page) => {
    await openTab(page, "videos");
    await page
      .getByTitle(/^Title of .*: press to change$/)
      .first()
      .click();
    await seen(page.getByLabel(/^Title of/));
  }),
  adminScreen("videos empty", async (page) => {
    await emptied(page, "**/api/videos?*");
    await openTab(page, "videos");
    await seen(page.getByText("No videos yet"));
  }),
  adminScreen("videos loading", async (page) => {
    await keepWaiting(page, "**/api/videos?*");
    await openTab(page, "videos");
  }),
  adminScreen("adding a video, refused", async (page) => {
    await openTab(page, "videos");
    await page.getByRole("button", { name: "Add video" }).click();
    await page.getByRole("button", { name: "Save video" }).click();
    await seen(page.getByText(errors.video_source_missing.text));
  }),
  adminScreen("editing a video, film chosen", async (page) => {
    await openTab(page, "videos");
    await page
      .getByRole("button", { name: /^Edit / })
      .first()
      .click();
    const film = { name: "lesson one.mp4", mimeType: "video/mp4", buffer: Buffer.alloc(4096) };
    await page.getByLabel(/Choose (a|another) video file/).setInputFiles(film);
    await seen(page.getByText("lesson one.mp4"));
  }),
  adminScreen("editing a video, captions refused", async (page) => {
    await page.route("**/api/videos/*/captions", (route) => {
      const error = errors.captions_line_end.text.replace("Line 1", "Line 128");
      return route.fulfill({ status: 400, json: { code: "captions_line_end", error } });
    });
    await withMaterials(page);
    await openTab(page, "videos");
    await page
      .getByRole("button", { name: /^Edit / })
      .first()
      .click();
    const captions = { name: "lesson.fr.vtt", mimeType: "text/vtt", buffer: Buffer.from("WEBVTT") };
    await page.getByLabel("Choose a caption file").setInputFiles(captions);
    await page.getByRole("button", { name: "Add captions" }).click();
    await seen(page.getByText("Line 128: a cue must end after it starts."));
    // The error stays in sight, over what scrolls behind it.
    await page.evaluate(() => scrollTo(0, 0));
  }),
  adminScreen("adding a video, choosing its poster", async (page) => {
    await openTab(page, "videos");
    await page.getByRole("button", { name: "Add video" }).click();
    await page.getByLabel("Choose a video file").setInputFiles(sampleFilm);
    await seen(page.getByLabel("Moment of the film"));
  }),
  adminScreen("uploading a film", async (page) => {
    await keepWaiting(page, "**/storage/v1/upload/**");
    await openTab(page, "videos");
    await page
      .getByRole("button", { name: /^Edit / })
      .first()
      .click();
    const film = { name: "lesson one.mp4", mimeType: "video/mp4", buffer: Buffer.alloc(4096) };
    await page.getByLabel(/Choose (a|another) video file/).setInputFiles(film);
    await page.getByRole("button", { name: "Save changes" }).click();
    await seen(page.getByRole("progressbar"));
  }),
  adminScreen("deleting a video", async (page) => {
    await openTab(page, "videos");
    await page
      .getByRole("button", { name: /^Delete / })
      .first()
      .click();
    await dialogOn(page);
  }),
  adminScreen("videos not loaded", async (page) => {
    await refuse(page, "**/api/videos?*");
    await openTab(page, "videos");
    await seen(page.getByText("The videos could not be loaded"));
  }),
];
