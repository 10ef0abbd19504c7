// @ts-check
// Parts of 1 MiB of an uploaded film, as a player asks for them.
import { randomInt } from "node:crypto";
import { copyFileSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { compared } from "../frame/figures.mjs";
import { handOverFilm, publishFilm } from "../frame/film.mjs";
import { requestBytes, sendOnce } from "../frame/load.mjs";
import { startNginx } from "../frame/nginx.mjs";
import { sideBySide } from "../frame/rounds.mjs";

const mebibyte = 2 ** 20;

/** @param {import("../frame/bench.mjs").Bench} bench */
export async function run(bench) {
  const stage = await bench.stage();
  const { site, bare } = stage;
  const film = await publishFilm(stage, 64 * mebibyte);
  // The web server has a copy, since the site keeps its own to itself.
  const copy = join(site.folder, "film.mp4");
  copyFileSync(film.path, copy);
  const nginx = await startNginx(bench, site.folder, `root ${site.folder};`);
  const { size } = statSync(film.path);

  const query = new URLSearchParams({ session: film.sessionId, object: film.objectId, path: film.path });
  /** @param {import("../frame/rounds.mjs").Server} server @param {string} path @param {Record<string, string>} [headers] */
  const side = async (server, path, headers = {}) => {
    await checkBytes(server, path, headers, readFileSync(film.path));
    return { server, round: async () => ({ next: ranges(path, headers, size) }) };
  };
  const [ours, theirs, beside] = await sideBySide(
    bench,
    [
      await side(site, film.link, film.headers),
      await side(bare, `/film?${query}`),
      ...(nginx ? [await side(nginx, "/film.mp4")] : []),
    ],
    { connections: 8 },
  );
  const figures = [
    compared("ranges of 1 MiB", ours, theirs, 0.9),
    ...(beside ? [compared("ranges of 1 MiB", ours, beside, 0.5)] : []),
    ...(nginx ? [await handedOver(bench, await side(nginx, "/film.mp4"))] : []),
  ];
  await film.remove();
  rmSync(copy);
  return figures;
}

/**
 * Compares nginx that asks the site for each part (ACCEL_REDIRECT) with nginx that asks nobody.
 * @param {import("../frame/bench.mjs").Bench} bench @param {import("../frame/rounds.mjs").Side} alone
 */
async function handedOver(bench, alone) {
  const film = await handOverFilm(bench, 64 * mebibyte);
  if (film === undefined) throw new Error("nginx is gone.");
  const { server, path, link, headers, stop } = film;
  try {
    await checkBytes(server, link, headers, readFileSync(path));
    const next = ranges(link, headers, statSync(path).size);
    const [ours, theirs] = await sideBySide(bench, [{ server, round: async () => ({ next }) }, alone], { connections: 8 });
    return compared("ranges by ACCEL_REDIRECT", ours, theirs, 0.95);
  } finally {
    // The rows that follow need the memory and the cores.
    await stop();
  }
}

/** Throws unless a server sends the film's bytes. @param {import("../frame/rounds.mjs").Server} server @param {string} path @param {Record<string, string>} headers @param {Buffer} film */
async function checkBytes({ name, port }, path, headers, film) {
  const { body } = await sendOnce(port, requestBytes("GET", path, { ...headers, range: "bytes=1000-200999" }));
  if (!body.equals(film.subarray(1000, 201_000))) throw new Error(`${name} sends other bytes.`);
}

/** @param {string} path @param {Record<string, string>} headers @param {number} size @returns {import("../frame/rounds.mjs").Next} */
function ranges(path, headers, size) {
  return () => {
    const start = randomInt(size - mebibyte);
    const range = `${start}-${start + mebibyte - 1}`;
    return {
      bytes: requestBytes("GET", path, { ...headers, range: `bytes=${range}` }),
      check({ status, head, length }) {
        if (status !== 206 || length !== mebibyte || !head.includes(`bytes ${range}/${size}`))
          throw new Error(`A range was answered ${status} with ${length} bytes: ${head}`);
      },
    };
  };
}
