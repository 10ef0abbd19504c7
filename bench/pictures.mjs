// @ts-check
// Serves the built product on a scratch folder, sends it hostile and ordinary pictures, and prints what others' requests take
// meanwhile and how much memory stays: `npm run build && node bench/pictures.mjs`.
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { crc32, deflateSync } from "node:zlib";
import { exitOnSignal, openBench } from "./frame/bench.mjs";
import { commandOf, treeOf } from "./frame/processes.mjs";
import { ordinaryScreenshot } from "./frame/screenshot.mjs";
import { mailboxToken, startSite } from "./site.mjs";

const bench = openBench({ quick: false, rounds: 1, say: (line) => console.log(line) });
exitOnSignal(bench);
const starting = startSite();
bench.atEnd(async () => (await starting).stop());
const site = await starting;
const { origin } = site;
try {
  const token = await signedInStudent();
  const screenshot = await ordinaryScreenshot(1);
  await send(token, screenshot);
  console.log(`at rest                  ${await memory()}`);
  report("nothing else", await othersDuring(token, wait(3000)));
  const hostile = {
    line: png(1, 15_999_999),
    bomb: png(30_000, 30_000, 1000),
    large: png(10_000, 10_000),
    long: png(400, 20_000),
  };
  for (const [name, bytes] of Object.entries(hostile)) {
    const sent = Array.from({ length: 4 }, () => send(token, bytes));
    report(`4 times ${name}`, await othersDuring(token, Promise.all(sent)), await Promise.all(sent));
    console.log(`                         ${await memory()}`);
  }
  const started = performance.now();
  const many = Array.from({ length: 60 }, () => send(token, screenshot));
  report("60 screenshots at once", await othersDuring(token, Promise.all(many)), [...new Set(await Promise.all(many))]);
  console.log(
    `                         ${(60_000 / (performance.now() - started)).toFixed(1)} screenshots/s of ${screenshot.length} bytes`,
  );
  await wait(35_000);
  console.log(`35 s later               ${await memory()}`);
} finally {
  await bench.close();
}

/** Times of a small request, sent again and again until `work` is done. @param {string} token @param {Promise<unknown>} work */
async function othersDuring(token, work) {
  let isDone = false;
  const done = work.finally(() => (isDone = true));
  /** @type {number[]} */
  const times = [];
  for (;;) {
    const from = performance.now();
    await call(token, "/api/me");
    times.push(performance.now() - from);
    if (isDone) break;
    await wait(10);
  }
  await done;
  return times.toSorted((a, b) => a - b);
}

/** @param {string} what @param {number[]} times @param {unknown[]} [statuses] */
function report(what, times, statuses = []) {
  const at = (/** @type {number} */ share) => (times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(0).padStart(4);
  console.log(`${what.padEnd(24)} others: median ${at(0.5)} ms, p99 ${at(0.99)} ms of ${times.length}   ${statuses.join(" ")}`);
}

/** Of the server alone, and of it with its decoders. */
async function memory() {
  const server = residentMb(site.pid ?? 0);
  const workers = treeOf(site.pid ?? 0).filter((pid) => commandOf(pid).includes("picture-worker"));
  const all = workers.reduce((sum, pid) => sum + residentMb(pid), 0);
  return `server ${server} MB, ${workers.length} decoders ${all} MB`;
}

/** @param {number} pid */
function residentMb(pid) {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024);
}

async function signedInStudent() {
  const email = "student@example.com";
  const account = { email, password: "a fine long password", data: { full_name: "Bench" } };
  const { access_token: token } = await call(undefined, "/auth/v1/signup", account);
  await call(token, "/functions/v1/send-verification-email", { email, fullName: "Bench" });
  for (let tries = 0; tries < 100; tries++) {
    const mails = await call(mailboxToken, `/mailbox.json?to=${encodeURIComponent(email)}`);
    const code = /\b\d{6}\b/.exec(mails[0]?.text ?? "")?.[0];
    if (code !== undefined) {
      await call(token, "/functions/v1/verify-email", { code });
      return token;
    }
    await wait(100);
  }
  throw new Error("No code was mailed.");
}

/** @param {string | undefined} token @param {string} path @param {object} [body] @returns {Promise<any>} */
async function call(token, path, body) {
  const headers = { "content-type": "application/json", ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  const reply = await fetch(origin + path, body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers });
  return reply.json();
}

/** Uploads a picture; returns the status. @param {string} token @param {Buffer} bytes */
async function send(token, bytes) {
  const form = new FormData();
  form.set("file", new Blob([new Uint8Array(bytes)], { type: "image/png" }), "paid.png");
  const headers = { authorization: `Bearer ${token}` };
  const reply = await fetch(`${origin}/storage/v1/object/payment-screenshots`, { method: "POST", headers, body: form });
  await reply.arrayBuffer();
  return reply.status;
}

/** A blank PNG of one bit a pixel. @param {number} width @param {number} height @param {number} [rows] */
function png(width, height, rows = height) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const pixels = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * rows));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
