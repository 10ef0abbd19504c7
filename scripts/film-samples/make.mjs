// @ts-check
// Makes tests/support/films/samples anew: films of half a second, and one of a minute, in the containers and codecs that sellers upload, a few kB each, written by
// ffmpeg and by Chromium's recorder. No build or test runs this; it needs Debian's packages chromium and ffmpeg:
//   node scripts/film-samples/make.mjs
// The two of mediabunny are its own copies of h264-aac-fast.mp4 (mediabunny 1.61.0, `fastStart: false` and `"fragmented"`).
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { chromium } from "@playwright/test";
import { browserFlags, findBrowser } from "../browser.mjs";

const target = join(dirname(dirname(import.meta.dirname)), "tests/support/films/samples");
const picture = ["-f", "lavfi", "-i", "testsrc=size=96x64:rate=10:duration=0.5"];
const minute = ["-f", "lavfi", "-i", "testsrc=size=96x64:rate=2:duration=60"];
const sound = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=16000:duration=0.5"];
const h264 = ["-c:v", "libx264", "-preset", "veryslow", "-crf", "45", "-pix_fmt", "yuv420p"];
const aac = ["-c:a", "aac", "-b:a", "8k"];

/** @type {Record<string, string[]>} the options of each file; the first ones are what every seller should upload */
const films = {
  "h264-aac-late.mp4": [...picture, ...sound, ...h264, ...aac],
  "h264-aac-fast.mp4": [...picture, ...sound, ...h264, ...aac, "-movflags", "+faststart"],
  "h264-silent-late.mp4": [...picture, ...h264],
  "h264-aac-three-tracks-late.mp4": [...picture, ...sound, ...sound, "-map", "0", "-map", "1", "-map", "2", ...h264, ...aac],
  "h264-fragmented.mp4": [...picture, ...h264, "-movflags", "+frag_keyframe+empty_moov+default_base_moof"],
  "h264-10-bit-late.mp4": [...picture, ...h264, "-pix_fmt", "yuv420p10le"],
  "h264-ac3-late.mp4": [...picture, ...sound, ...h264, "-c:a", "ac3", "-ar", "32000"],
  "h264-aac-encrypted.mp4": [
    ...picture,
    ...h264,
    "-encryption_scheme",
    "cenc-aes-ctr",
    "-encryption_key",
    "00112233445566778899aabbccddeeff",
    "-encryption_kid",
    "00112233445566778899aabbccddeeff",
  ],
  "hevc-late.mp4": [...picture, "-c:v", "libx265", "-crf", "45", "-tag:v", "hvc1", "-x265-params", "log-level=none"],
  "sound-only.mp4": [...sound, ...aac],
  "prores.mov": [...picture, "-c:v", "prores_ks", "-profile:v", "0"],
  "h264-aac.mov": [...picture, ...sound, ...h264, ...aac],
  "h264-aac.mkv": [...picture, ...sound, ...h264, ...aac],
  "vp9-opus.webm": [...picture, ...sound, "-c:v", "libvpx-vp9", "-crf", "60", "-b:v", "0", "-c:a", "libopus", "-b:a", "8k"],
  // Long enough to be left in the middle.
  "one-minute.mp4": [...minute, ...h264, "-crf", "51", "-g", "4", "-movflags", "+faststart"],
  "mpeg4.avi": [...picture, "-c:v", "mpeg4", "-q:v", "31"],
  "wmv2.wmv": [...picture, "-c:v", "wmv2", "-q:v", "31"],
  "flv1.flv": [...picture, "-c:v", "flv1", "-q:v", "31"],
};

mkdirSync(target, { recursive: true });
for (const [name, options] of Object.entries(films)) {
  const fixed = ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact"];
  execFileSync("ffmpeg", ["-v", "error", "-y", ...options, ...fixed, join(target, name)], { stdio: "inherit" });
}

const browser = await chromium.launch({ executablePath: findBrowser(), args: browserFlags });
try {
  const page = await browser.newPage();
  for (const [name, type] of [
    ["recorded.webm", "video/webm;codecs=vp8"],
    ["recorded.mp4", "video/mp4;codecs=vp9"],
  ]) {
    const bytes = await page.evaluate(`(${record.toString()})(${JSON.stringify(type)})`);
    writeFileSync(join(target, /** @type {string} */ (name)), Buffer.from(/** @type {number[]} */ (bytes)));
  }
} finally {
  await browser.close();
}

/** Records half a second of a canvas, in the page. @param {string} mimeType @returns {Promise<number[]>} */
async function record(mimeType) {
  const canvas = Object.assign(document.createElement("canvas"), { width: 96, height: 64 });
  const pen = canvas.getContext("2d");
  /** @type {Blob[]} */
  const pieces = [];
  const recorder = new MediaRecorder(canvas.captureStream(10), { mimeType, videoBitsPerSecond: 20_000 });
  recorder.ondataavailable = ({ data }) => pieces.push(data);
  const ended = new Promise((resolve) => (recorder.onstop = resolve));
  recorder.start();
  for (let frame = 0; frame < 10; frame += 1) {
    pen?.fillRect(frame * 8, 8, 4, 48);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  recorder.stop();
  await ended;
  return [...new Uint8Array(await new Blob(pieces).arrayBuffer())];
}
