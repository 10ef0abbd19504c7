// @ts-check
// Sends requests over kept connections, each with one request in flight, as fast as they are answered. Parsing only what the bench needs, it takes a
// tenth of the time of node:http's client, so that it is not what is measured.
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";

/** @typedef {{ status: number, head: string, length: number, body: Buffer }} Reply `body` is empty where it is longer than what is kept. */
/** @typedef {{ bytes: Buffer, check: (reply: Reply) => void }} Sending `check` throws where the work was not done. */
/** @typedef {{ count: number, perSecond: number, p50: number, p99: number, generatorShare: number }} Load times in ms; the share is of one core. */

const keptBytes = 256 * 1024;

/**
 * Sends what `next` returns, until the time is over or it returns undefined, and waits for the last reply.
 * @param {{ ports: number[], connections: number, seconds: number, next: () => Sending | undefined, pauseMs?: number }} options the connections share
 * out the ports; `pauseMs` is between a reply and the next request
 * @returns {Promise<Load>}
 */
export async function load({ ports, connections, seconds, next, pauseMs = 0 }) {
  /** @type {number[]} */
  const times = [];
  const portOf = (/** @type {number} */ place) => /** @type {number} */ (ports[place % ports.length]);
  const open = await Promise.all(Array.from({ length: connections }, (_none, place) => openConnection(portOf(place))));
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  const deadline = started + seconds * 1000;
  try {
    await Promise.all(
      open.map(async ({ send }) => {
        for (let from = performance.now(); from < deadline; from = performance.now()) {
          const sending = next();
          if (sending === undefined) break;
          const reply = await send(sending.bytes);
          times.push(performance.now() - from);
          sending.check(reply);
          if (pauseMs > 0) await setTimeout(pauseMs);
        }
      }),
    );
  } finally {
    for (const connection of open) connection.close();
  }
  const elapsedMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpuBefore);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (/** @type {number} */ share) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return {
    count: times.length,
    perSecond: (times.length * 1000) / elapsedMs,
    p50: at(0.5),
    p99: at(0.99),
    generatorShare: (user + system) / 1000 / elapsedMs,
  };
}

/**
 * Returns the bytes of a request.
 * @param {string} method @param {string} path @param {Record<string, string>} [headers] @param {object} [body] sent as JSON
 */
export function requestBytes(method, path, headers = {}, body) {
  const text = body === undefined ? "" : JSON.stringify(body);
  const all = {
    host: "localhost",
    ...headers,
    ...(body === undefined ? {} : { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${text}`);
}

/** Sends one request on a connection of its own. @param {number} port @param {Buffer} bytes */
export async function sendOnce(port, bytes) {
  const connection = await openConnection(port);
  try {
    return await connection.send(bytes);
  } finally {
    connection.close();
  }
}

/** @param {number} port */
async function openConnection(port) {
  /** @type {{ resolve: (reply: Reply) => void, reject: (error: Error) => void } | undefined} */
  let waiting;
  let pending = Buffer.alloc(0);
  /** @type {Reply | undefined} */
  let reply;
  let received = 0;

  /** @param {Buffer} bytes */
  function take(bytes) {
    let part = bytes;
    if (reply === undefined) {
      pending = Buffer.concat([pending, bytes]);
      const end = pending.indexOf("\r\n\r\n");
      if (end < 0) return;
      reply = replyOf(pending.toString("latin1", 0, end));
      part = pending.subarray(end + 4);
      received = 0;
      pending = Buffer.alloc(0);
    }
    part.copy(reply.body, received);
    received += part.length;
    if (received < reply.length) return;
    const whole = reply;
    reply = undefined;
    waiting?.resolve(whole);
  }

  const socket = await new Promise((/** @type {(socket: import("node:net").Socket) => void} */ resolve, reject) => {
    const opened = connect({
      host: "localhost",
      port,
      noDelay: true,
      onread: {
        buffer: Buffer.alloc(256 * 1024),
        callback(count, buffer) {
          try {
            take(Buffer.from(buffer.buffer, buffer.byteOffset, count));
          } catch (error) {
            opened.destroy(/** @type {Error} */ (error));
          }
          return true;
        },
      },
    });
    opened.once("connect", () => resolve(opened)).once("error", reject);
  });
  const fail = (/** @type {Error} */ error) => waiting?.reject(error);
  socket.on("error", fail).on("close", () => fail(new Error("The server closed the connection.")));

  return {
    /** @param {Buffer} bytes @returns {Promise<Reply>} */
    send: (bytes) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(bytes);
      }),
    close() {
      waiting = undefined;
      socket.destroy();
    },
  };
}

/** @param {string} head @returns {Reply} */
function replyOf(head) {
  const status = Number(head.slice(9, 12));
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined && status !== 204 && status !== 304)
    throw new Error(`A reply without Content-Length cannot be counted: ${head}`);
  const bytes = Number(length ?? 0);
  return { status, head, length: bytes, body: Buffer.alloc(bytes <= keptBytes ? bytes : 0) };
}
