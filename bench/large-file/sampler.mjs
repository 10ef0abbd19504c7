// @ts-check
// The most that a site takes, looked at several times a second.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { commandOf, proportionalMbOfAll, treeOf } from "../frame/processes.mjs";

/** @typedef {{ site: number, filmWorker: number, fetched: number }} Peaks memory in MB (Pss), and GB of films fetched for a moment */

/** @param {number} pid of the site @param {string} dataDir */
export function startSampler(pid, dataDir) {
  /** @type {Peaks} */
  let peaks = { site: 0, filmWorker: 0, fetched: 0 };
  const look = () => {
    const workers = treeOf(pid).filter((one) => commandOf(one).includes("film-worker"));
    peaks.site = Math.max(peaks.site, proportionalMbOfAll([pid]));
    peaks.filmWorker = Math.max(peaks.filmWorker, proportionalMbOfAll(workers));
    peaks.fetched = Math.max(peaks.fetched, bytesBelow(join(dataDir, "from-s3")) / 1e9);
  };
  const timer = setInterval(look, 200);
  return {
    /** Returns the peaks since the last call. @returns {Peaks} */
    take() {
      look();
      const taken = peaks;
      peaks = { site: 0, filmWorker: 0, fetched: 0 };
      return taken;
    },
    stop: () => clearInterval(timer),
  };
}

/** @param {string} folder */
function bytesBelow(folder) {
  let bytes = 0;
  try {
    for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      const found = statSync(join(folder, name));
      if (found.isFile()) bytes += found.size;
    }
  } catch {
    // It is not there, or a file went meanwhile.
  }
  return bytes;
}
