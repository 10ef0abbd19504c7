// @ts-check
// Makes samples/videos/*.mp4 anew, and a frame of each in samples/posters: one short silent film per lesson of samples/course.json,
// drawn in Chromium, encoded by ffmpeg. No build or test runs this; run it after a change of a lesson's title or of the files beside this one:
//   node scripts/sample-videos/make.mjs [file.mp4 …]
// It needs Debian's packages chromium and ffmpeg.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { chromium } from "@playwright/test";
import { browserFlags, findBrowser } from "../browser.mjs";
import { films } from "./films.js";

const here = import.meta.dirname;
const project = dirname(dirname(here));
const target = join(project, "samples/videos");
const [seconds, framesPerSecond] = [8, 24];

/** @type {Record<string, string>} what the page may load */
const files = {
  "/": join(here, "film.html"),
  ...Object.fromEntries(["figures", "films", "prices", "stage"].map((name) => [`/${name}.js`, join(here, `${name}.js`)])),
  "/font.woff2": join(project, "node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"),
};

/** @typedef {{ title: string, module: string, video: string }} Lesson */
/** @type {{ lessons: Lesson[] }} */
const course = JSON.parse(await readFile(join(project, "samples/course.json"), "utf8"));
const wanted = process.argv.slice(2);

for (const folder of [target, join(project, "samples/posters")]) await mkdir(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags });
try {
  const page = await browser.newPage();
  await page.route("**/*", (route) => {
    const file = files[new URL(route.request().url()).pathname];
    return file ? route.fulfill({ path: file }) : route.abort();
  });
  await page.goto("http://films.test/");
  await page.waitForFunction("window.ready");
  for (const lesson of course.lessons) {
    if (wanted.length === 0 || wanted.includes(lesson.video)) await make(page, lesson);
  }
} finally {
  await browser.close();
}

/** @param {import("@playwright/test").Page} page @param {Lesson} lesson */
async function make(page, lesson) {
  const drawing = films[lesson.video];
  if (!drawing) throw new Error(`${lesson.video} has no drawing in films.js.`);
  const film = { ...drawing, title: lesson.title, module: lesson.module };
  const encoder = encode(join(target, lesson.video));
  for (let frame = 0; frame < seconds * framesPerSecond; frame++) {
    const call = `window.frameAt(${JSON.stringify(film)}, ${frame / framesPerSecond}, ${seconds})`;
    const picture = /** @type {string} */ (await page.evaluate(call));
    const isFull = !encoder.stdin.write(Buffer.from(picture.slice(picture.indexOf(",") + 1), "base64"));
    if (isFull) await once(encoder.stdin, "drain");
  }
  encoder.stdin.end();
  const [status] = await once(encoder, "exit");
  if (status !== 0) throw new Error(`ffmpeg ended with ${status}.`);
  await makePoster(lesson.video);
  const { size } = await stat(join(target, lesson.video));
  console.log(`${lesson.video}  ${Math.round(size / 1024)} KB`);
}

/** The frame at which everything is drawn. */
async function makePoster(/** @type {string} */ video) {
  const file = join(project, "samples/posters", video.replace(/mp4$/, "webp"));
  const args = [
    "-v",
    "error",
    "-y",
    "-ss",
    "4.8",
    "-i",
    join(target, video),
    "-frames:v",
    "1",
    "-c:v",
    "libwebp",
    "-quality",
    "72",
  ];
  const [status] = await once(spawn("ffmpeg", [...args, "-map_metadata", "-1", file], { stdio: "inherit" }), "exit");
  if (status !== 0) throw new Error(`ffmpeg ended with ${status}.`);
}

/** H.264 that every browser plays, its index in front so that playing begins at once, and nothing in it that differs by day. */
function encode(/** @type {string} */ file) {
  const input = ["-f", "image2pipe", "-framerate", String(framesPerSecond), "-c:v", "png", "-i", "-"];
  const picture = ["-vf", "scale=out_color_matrix=bt709:out_range=tv", "-pix_fmt", "yuv420p", "-colorspace", "bt709"];
  const codec = ["-c:v", "libx264", "-preset", "veryslow", "-tune", "animation", "-crf", "27", "-g", "96"];
  const container = ["-movflags", "+faststart", "-map_metadata", "-1", "-fflags", "+bitexact", "-y", file];
  return spawn("ffmpeg", ["-v", "error", ...input, ...picture, ...codec, ...container], {
    stdio: ["pipe", "inherit", "inherit"],
  });
}
