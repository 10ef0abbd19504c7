// @ts-check
// Many open streams of server-sent events, read by one process.
import { connect } from "node:net";
import { requestBytes } from "./load.mjs";

/**
 * Opens a stream for each token. `reached` waits, up to 20 s, until each has had this text since it was called, and returns the ms until the last one
 * had it; it must be called before the change is made.
 * @param {number} port @param {string[]} tokens
 */
export async function openStreams(port, tokens) {
  /** @type {import("node:net").Socket[]} */
  const sockets = [];
  /** @type {{ text: Buffer, missing: Set<import("node:net").Socket>, done: () => void } | undefined} */
  let watch;
  const open = (/** @type {string} */ token) =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: "localhost", port, noDelay: true });
      sockets.push(socket);
      socket.write(requestBytes("GET", "/api/events", { authorization: `Bearer ${token}`, accept: "text/event-stream" }));
      socket.once("error", reject);
      let head = "";
      socket.on("data", (bytes) => {
        head ||= bytes.toString().split("\r\n")[0] ?? "";
        if (bytes.includes(": ready")) resolve(undefined);
        if (watch === undefined || !bytes.includes(watch.text)) return;
        watch.missing.delete(socket);
        if (watch.missing.size === 0) watch.done();
      });
      socket.once("close", () =>
        reject(new Error(`The server closed stream ${sockets.indexOf(socket)} of ${tokens.length}: ${head}`)),
      );
    });
  // A few at a time: thousands at once overflow the queue of new connections.
  const waiting = [...tokens];
  const takeTurns = async () => {
    for (let token = waiting.pop(); token !== undefined; token = waiting.pop()) await open(token);
  };
  await Promise.all(Array.from({ length: 20 }, takeTurns));
  return {
    /** @param {string} text @param {() => Promise<unknown>} change @returns {Promise<number>} */
    async reached(text, change) {
      const from = performance.now();
      const all = new Promise((resolve, reject) => {
        const missing = new Set(sockets);
        const late = setTimeout(() => reject(new Error(`${missing.size} streams had no event within 20 s.`)), 20_000);
        const done = () => {
          clearTimeout(late);
          resolve(undefined);
        };
        watch = { text: Buffer.from(text), missing, done };
      });
      await Promise.all([change(), all]);
      return performance.now() - from;
    },
    close() {
      for (const socket of sockets) socket.removeAllListeners("close").destroy();
    },
  };
}
