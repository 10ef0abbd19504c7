// @ts-check
// A film of 5 GB from the upload to the playback, by nginx (ACCEL_REDIRECT) and by a bucket: are all bytes right, and what memory does the site take
// meanwhile? `node bench/large-file.mjs`, `--gb=0.2` for a look, `--only=bucket --index=end` for a part. Needs Debian's nginx and swift, and 30 GB below /var/tmp.
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { buildIfStale, installIfNeeded, projectDir } from "../scripts/install.mjs";

const { values } = parseArgs({
  options: { gb: { type: "string", default: "5" }, only: { type: "string" }, index: { type: "string" } },
});
const size = Math.floor(Number(values.gb) * 2 ** 30) - 1;
const maxMb = 150;

process.chdir(projectDir);
await installIfNeeded();
await buildIfStale("site");
const { call, hashOfPlayed, jumpThrough, sendByTus } = await import("./large-file/client.mjs");
const { writeLargeFilm } = await import("./large-file/film.mjs");
const { startNginx } = await import("./large-file/front.mjs");
const { startSampler } = await import("./large-file/sampler.mjs");
const { exitOnSignal, openBench } = await import("./frame/bench.mjs");
const { startBucket } = await import("./frame/bucket.mjs");
const { admin, openClient } = await import("./frame/stage.mjs");
const { databaseOf, startSite } = await import("./site.mjs");

/** @type {string[][]} */
const table = [["what", "MB/s", "site MB", "film worker MB", "fetched GB", ""]];
let isMissed = false;
const say = (/** @type {string} */ line) => void process.stderr.write(`  ${line}\n`);
const bench = openBench({ quick: false, rounds: 1, say });
exitOnSignal(bench);
try {
  const folder = mkdtempSync("/var/tmp/pipwright-large-");
  chmodSync(folder, 0o755);
  bench.atEnd(() => rmSync(folder, { recursive: true, force: true }));
  for (const index of /** @type {const} */ (["start", "end"])) {
    if (values.index !== undefined && values.index !== index) continue;
    const file = join(folder, "sent.mp4");
    say(`writing a film of ${(size / 2 ** 30).toFixed(1)} GiB with its index at the ${index}`);
    const film = { file, sha256: writeLargeFilm(file, size, index), index };
    for (const way of /** @type {const} */ (["nginx", "bucket"])) {
      if (values.only !== undefined && values.only !== way) continue;
      await measure(way, film, mkdtempSync(join(folder, `${way}-`)));
    }
  }
} finally {
  await bench.close();
}
const widths = table[0]?.map((_none, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
const [titles, ...rows] = table.map((row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`);
console.log([titles, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rows].join("\n"));
process.exit(isMissed ? 1 : 0);

/**
 * @param {"nginx" | "bucket"} way @param {{ file: string, sha256: string, index: "start" | "end" }} film @param {string} folder
 */
async function measure(way, film, folder) {
  chmodSync(folder, 0o755);
  /** @type {(() => unknown)[]} */
  const ends = [];
  const stop = async () => {
    for (const one of ends.splice(0).toReversed()) await one();
  };
  bench.atEnd(stop);
  ends.push(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "data");
  const bucket = way === "bucket" ? await startBucket(folder) : undefined;
  if (bucket) ends.push(bucket.stop);
  else if (way === "bucket") throw new Error("The S3 server of the tests is not installed (Debian's swift).");
  const behindNginx = { ACCEL_REDIRECT: "/stored-files", TRUST_PROXY: "on", PUBLIC_URL: "https://course.example.com" };
  const settings = bucket?.settings ?? behindNginx;
  const site = await startSite({ ...settings, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, DATA_DIR: dataDir });
  ends.push(site.stop);
  const nginx = bucket ? undefined : await startNginx(folder, site.origin, join(dataDir, "objects"));
  if (nginx) ends.push(nginx.stop);
  const place = nginx?.place ?? { origin: site.origin };
  const sampler = startSampler(/** @type {number} */ (site.pid), dataDir);
  ends.push(sampler.stop);

  /** Runs a step and adds its row. @template Result @param {string} what @param {number} bytes that it moves @param {() => Promise<Result>} step */
  const row = async (what, bytes, step) => {
    sampler.take();
    const from = performance.now();
    const result = await step();
    const speed = bytes / 1000 / (performance.now() - from);
    const peaks = sampler.take();
    const isOver = peaks.site >= maxMb || peaks.filmWorker >= maxMb;
    isMissed ||= isOver;
    const figures = [peaks.site.toFixed(0), peaks.filmWorker.toFixed(0), peaks.fetched.toFixed(1)];
    table.push([`${way}, index at the ${film.index}: ${what}`, speed.toFixed(0), ...figures, isOver ? `OVER ${maxMb}` : ""]);
    say(table.at(-1)?.join(" | ") ?? "");
    return result;
  };
  await row("at rest", 0, () => wait(5000));
  const token = (await call(place, "POST", "/auth/v1/token?grant_type=password", admin)).body.access_token;
  const upload_id = await row("upload", size, () => sendByTus(place, token, film.file));
  const db = await openClient(
    { atEnd: (/** @type {() => unknown} */ one) => void ends.push(one) },
    databaseOf({ folder }).host,
    "pipwright",
  );
  // A rewritten film is another object than the upload.
  const lesson = { title: "Film", description: "D", module: "Film", order_index: 1, package_type: "both", upload_id };
  const again = (await call(place, "POST", "/auth/v1/token?grant_type=password", admin)).body.access_token;
  const video = (await call(place, "POST", "/api/videos", lesson, again)).body;
  const prepared = await row("film job", size, () => untilPrepared(db, video.id));
  const { body, cookie } = await call(place, "POST", `/api/videos/${video.id}/play`, undefined, again);
  const link = new URL(body.url, place.origin);
  const path = link.pathname + link.search;
  if (film.index === "start") await row("100 jumps", 148 * 2 ** 20, () => jumpThrough(place, path, cookie, film.file));
  const played = await row("whole film", size, () => hashOfPlayed(place, path, cookie));
  const expected = film.index === "start" ? film.sha256 : prepared.sha256;
  if (played !== expected)
    throw new Error(
      `${way}: the film that is played has other bytes than was ${film.index === "start" ? "sent" : "prepared"}.`,
    );
  await stop();
}

/** Returns what is stored of a video's film once no job changes it any more. @param {import("pg").Client} db @param {string} id */
async function untilPrepared(db, id) {
  const statement = `select encode(sha256, 'hex') as sha256 from videos join films using (object_id)
    where videos.id = $1 and next_attempt_at is null and playability = 'plays'`;
  for (;;) {
    const { rows: found } = await db.query(statement, [id]);
    if (found[0]) return found[0];
    await wait(200);
  }
}
