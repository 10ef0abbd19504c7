// @ts-check
// A film of 1 GiB by tus, as the admin's page sends it, beside a bare upload that replies when the bytes are on disk. On a disk, not in memory.
import { createHash } from "node:crypto";
import { chmodSync, createReadStream, mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { absolute } from "../frame/figures.mjs";
import { writeFilm } from "../frame/film.mjs";
import { median } from "../frame/median.mjs";
import { peakMb, resetPeak, treeOf, untilQuiet } from "../frame/processes.mjs";
import { admin, startBare } from "../frame/stage.mjs";
import { signIn } from "../frame/tokens.mjs";
import { uploadFilm } from "../frame/tus.mjs";
import { databaseOf, startSite } from "../site.mjs";

const mebibyte = 2 ** 20;

/** @param {import("../frame/bench.mjs").Bench} bench */
export async function run(bench) {
  const folder = mkdtempSync("/var/tmp/pipwright-bench-");
  chmodSync(folder, 0o755);
  bench.atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "data");
  const settings = { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, DATA_DIR: dataDir };
  const site = await startSite(settings);
  bench.atEnd(() => site.stop());
  const bare = await startBare(bench, databaseOf({ folder }).host, "pipwright");
  const pid = /** @type {number} */ (site.pid);
  const size = (bench.quick ? 128 : 1024) * mebibyte;
  const film = join(folder, "film.mp4");
  writeFilm(film, size);
  const sha256 = await hashOf(film);

  /** Returns the MB/s of an upload, which returns the stored file. @param {() => Promise<string>} upload */
  const speedOf = async (upload) => {
    await untilQuiet([...treeOf(pid), bare.pid]);
    const from = performance.now();
    const stored = await upload();
    const speed = size / 1000 / (performance.now() - from);
    if ((await hashOf(stored)) !== sha256) throw new Error(`${stored} has other bytes than were sent.`);
    return speed;
  };
  resetPeak(pid);
  /** @type {{ ours: number, theirs: number }[]} */
  const speeds = [];
  for (let round = 0; round < bench.rounds; round++) {
    const { access_token } = await signIn(site.origin, admin);
    const ours = await speedOf(async () => join(dataDir, "objects", await uploadFilm(site.origin, access_token, film)));
    const theirs = await speedOf(() => put(bare.port, join(folder, "bare.mp4"), film, size));
    bench.say(`ours ${ours.toFixed(0)} MB/s, bare ${theirs.toFixed(0)} MB/s`);
    speeds.push({ ours, theirs });
  }
  const peak = peakMb(pid) ?? Number.NaN;
  await bare.stop();
  await site.stop();
  const [ours, theirs] = [median(speeds.map((one) => one.ours)), median(speeds.map((one) => one.theirs))];
  const ratio = ours / theirs;
  const more = { beside: `bare ${theirs.toFixed(0)} MB/s`, ratio, line: "0.8 of bare", isReached: ratio >= 0.8 };
  return [
    absolute(`upload of ${size / mebibyte} MiB by tus`, ours, "MB/s", more),
    absolute("peak memory of these uploads", peak, "MB", { atMost: 150 }),
  ];
}

/** Returns the stored file. @param {number} port @param {string} stored @param {string} file @param {number} size @returns {Promise<string>} */
function put(port, stored, file, size) {
  return new Promise((resolve, reject) => {
    const path = `/upload?path=${encodeURIComponent(stored)}`;
    const sending = request({ port, path, method: "PUT", headers: { "content-length": size } }, (reply) => {
      reply.resume();
      if (reply.statusCode === 204) resolve(stored);
      else reject(new Error(`The bare upload was answered ${reply.statusCode}.`));
    });
    createReadStream(file).pipe(sending.once("error", reject));
  });
}

/** @param {string} file */
async function hashOf(file) {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}
