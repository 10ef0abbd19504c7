// @ts-check
// The film of bench/player.mjs.
import { execFile } from "node:child_process";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Makes a film of 1080p, one minute again and again, with its index at the end as ffmpeg writes it; returns its path.
 * @param {string} folder @param {{ megabytes: number, minutes: number }} size @param {AbortSignal} signal
 */
export async function makeLongFilm(folder, { megabytes, minutes }, signal) {
  const [minute, whole] = [join(folder, "minute.mp4"), join(folder, "film.mp4")];
  const picture = ["-f", "lavfi", "-i", "testsrc2=size=1920x1080:rate=30:duration=60"];
  const sound = ["-f", "lavfi", "-i", "sine=frequency=330:sample_rate=48000:duration=60"];
  const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2", "-pix_fmt", "yuv420p", "-g", "60"];
  // What the sound of 128 kbit/s leaves.
  const bits = `${Math.round((megabytes * 8e3) / (60 * minutes)) - 128}k`;
  const rate = ["-b:v", bits, "-minrate", bits, "-maxrate", bits, "-bufsize", bits, "-x264-params", "nal-hrd=cbr"];
  await run("ffmpeg", ["-v", "error", "-y", ...picture, ...sound, ...h264, ...rate, "-c:a", "aac", minute], { signal });
  await run("ffmpeg", ["-v", "error", "-y", "-stream_loop", String(minutes - 1), "-i", minute, "-c", "copy", whole], {
    signal,
  });
  rmSync(minute);
  console.log(`A film of ${Math.round(statSync(whole).size / 1e6)} MB: ${minutes} minutes at ${bits}bit/s.`);
  return whole;
}
