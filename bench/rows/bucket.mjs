// @ts-check
// Films on the disk and in a bucket: the site's part in playing and storing them. The bucket's server is that of the tests, on the same cores.
import { mkdtempSync, rmSync } from "node:fs";
import { randomInt } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBucket } from "../frame/bucket.mjs";
import { compared } from "../frame/figures.mjs";
import { openFilm, publishFilm } from "../frame/film.mjs";
import { requestBytes } from "../frame/load.mjs";
import { sideBySide } from "../frame/rounds.mjs";
import { admin, openClient } from "../frame/stage.mjs";
import { databaseOf, startSite } from "../site.mjs";

const mebibyte = 2 ** 20;
const filmBytes = 64 * mebibyte;

/** @param {import("../frame/bench.mjs").Bench} bench @param {import("../frame/stage.mjs").Stage} stage */
export async function bucketFigures(bench, stage) {
  bench.say("- a bucket");
  const folder = mkdtempSync(join(tmpdir(), "pipwright-bench-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  bench.atEnd(remove);
  const bucket = await startBucket(folder);
  if (bucket === undefined) {
    bench.leaveOut("left out: this needs the S3 server of the tests, which npm test installs (Debian)");
    return [];
  }
  bench.atEnd(bucket.stop);
  const started = await startSite({ ...bucket.settings, ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password });
  bench.atEnd(started.stop);
  try {
    return [await compareStores(bench, stage, started)];
  } finally {
    // The rows that follow need the memory and the cores.
    await started.stop();
    await bucket.stop();
    remove();
  }
}

/**
 * @param {import("../frame/bench.mjs").Bench} bench @param {import("../frame/stage.mjs").Stage} stage
 * @param {Awaited<ReturnType<typeof startSite>>} started a site whose films are in a bucket
 */
async function compareStores(bench, stage, started) {
  const { host, pid: database } = databaseOf(started);
  const db = await openClient(bench, host, "pipwright");
  const pid = /** @type {number} */ (started.pid);
  const site = { ...started, name: "bucket", port: Number(new URL(started.origin).port), pid, database, db };

  const onDisk = await publishFilm(stage, filmBytes);
  const inBucket = await openFilm(site, filmBytes);
  const [disk, store] = await sideBySide(bench, [
    { server: { ...stage.site, name: "disk" }, round: async () => ({ next: ranges(onDisk.link, onDisk.headers, 206) }) },
    { server: site, round: async () => ({ next: ranges(inBucket.link, inBucket.headers, 307) }) },
  ]);
  await onDisk.remove();
  return compared("a part of a film, by the site's work: bucket", store, disk);
}

/** A bucket's parts are redirected to it. @param {string} path @param {Record<string, string>} headers @param {206 | 307} expected @returns {import("../frame/rounds.mjs").Next} */
function ranges(path, headers, expected) {
  return () => {
    const start = randomInt(filmBytes - mebibyte);
    return {
      bytes: requestBytes("GET", path, { ...headers, range: `bytes=${start}-${start + mebibyte - 1}` }),
      check({ status, head, length }) {
        if (status !== expected || (status === 206 && length !== mebibyte))
          throw new Error(`A range was answered ${status} with ${length} bytes: ${head}`);
      },
    };
  };
}
