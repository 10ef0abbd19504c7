// @ts-check
// Sends and reads as a browser does, also over https with a certificate of the bench's own, whose name leads to this machine.
import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import { uploadFilm } from "../frame/tus.mjs";

const mebibyte = 2 ** 20;

/**
 * @typedef {object} Place
 * @property {string} origin
 * @property {string} [ca] of its certificate
 */

/** @param {Place} place */
const optionsOf = ({ ca }) => ({
  ...(ca === undefined ? {} : { ca }),
  lookup: (/** @type {string} */ _name, /** @type {any} */ options, /** @type {Function} */ done) =>
    options.all ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4),
});

/**
 * Sends a request and follows a redirect, as to a store; resolves with the reply, whose body is not read yet.
 * @param {Place} place @param {string} path @param {{ method?: string, headers?: Record<string, string>, body?: string }} [options]
 * @returns {Promise<import("node:http").IncomingMessage>}
 */
export async function send(place, path, { method = "GET", headers = {}, body } = {}) {
  const url = new URL(path, place.origin);
  const start = url.protocol === "https:" ? overHttps : overHttp;
  /** @type {import("node:http").IncomingMessage} */
  const reply = await new Promise((resolve, reject) => {
    const sending = start(url, { .../** @type {object} */ (optionsOf(place)), method, headers }, resolve);
    sending.on("error", reject).end(body);
  });
  if (reply.statusCode !== 307) return reply;
  reply.resume();
  const { cookie: _none, ...others } = headers;
  return send({ origin: place.origin }, reply.headers.location ?? "", { headers: others });
}

/** @param {Place} place @param {string} method @param {string} path @param {object | undefined} body @param {string} [token] */
export async function call(place, method, path, body, token) {
  const headers = { "content-type": "application/json", ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  const reply = await send(place, path, { method, headers, body: JSON.stringify(body ?? {}) });
  const text = (await reply.toArray()).join("");
  if ((reply.statusCode ?? 500) >= 300) throw new Error(`${method} ${path} was answered ${reply.statusCode}: ${text}`);
  const cookie = reply.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  return { body: JSON.parse(text), cookie };
}

/** Uploads a film; returns the upload's id. @param {Place} place @param {string} token @param {string} file */
export const sendByTus = (place, token, file) => uploadFilm(place.origin, token, file, optionsOf(place));

/**
 * Plays as a browser that jumps: from several places on, each until it jumps again, then the end, then single ranges. Throws where a byte differs from those of the
 * file. @param {Place} place @param {string} link @param {string} cookie @param {string} file
 */
export async function jumpThrough(place, link, cookie, file) {
  const film = await open(file);
  const { size } = await film.stat();
  /** @param {string} range @param {number} start @param {number} length bytes that are read before the next jump */
  const read = async (range, start, length) => {
    const reply = await send(place, link, { headers: { cookie, range } });
    if (reply.statusCode !== 206) throw new Error(`${range} was answered ${reply.statusCode}.`);
    const expected = Buffer.alloc(length);
    await film.read(expected, 0, length, start);
    let at = 0;
    for await (const piece of reply) {
      const compared = piece.subarray(0, length - at);
      if (!expected.subarray(at, at + compared.length).equals(compared)) throw new Error(`${range} has another byte.`);
      at += compared.length;
      if (at === length) break;
    }
    reply.destroy();
    if (at !== length) throw new Error(`${range} ended early.`);
  };
  for (const part of [0, 0.25, 0.5, 0.75, 0.99]) {
    const start = Math.floor(size * part);
    await read(`bytes=${start}-`, start, Math.min(8 * mebibyte, size - start));
  }
  await read("bytes=-65536", size - 65_536, 65_536);
  for (let step = 0; step < 100; step++) {
    const start = (step * 104_729 * 7919) % (size - mebibyte);
    await read(`bytes=${start}-${start + mebibyte - 1}`, start, mebibyte);
  }
  await film.close();
}

/** Reads a film whole and returns its SHA-256. @param {Place} place @param {string} link @param {string} cookie */
export async function hashOfPlayed(place, link, cookie) {
  const reply = await send(place, link, { headers: { cookie } });
  if (reply.statusCode !== 200) throw new Error(`The film was answered ${reply.statusCode}.`);
  const hash = createHash("sha256");
  for await (const piece of reply) hash.update(piece);
  return hash.digest("hex");
}
