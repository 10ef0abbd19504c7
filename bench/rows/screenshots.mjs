// @ts-check
// Screenshots of 1 MB, uploaded by students at once, and what a small request of others takes meanwhile.
import { absolute } from "../frame/figures.mjs";
import { load, requestBytes } from "../frame/load.mjs";
import { median } from "../frame/median.mjs";
import { cpuMs, treeOf, untilQuiet } from "../frame/processes.mjs";
import { checkCount } from "../frame/payments.mjs";
import { ordinaryScreenshot } from "../frame/screenshot.mjs";

/** Below it nobody notices a wait. */
const unnoticedMs = 100;

/** Between two of the others' requests: as fast as they are answered, they would take a third of the CPU that is counted here. */
const pauseMs = 20;

/** @param {import("../frame/bench.mjs").Bench} bench */
export async function run(bench) {
  const { site, students, tokenOf } = await bench.stage();
  bench.say("drawing screenshots");
  /** @type {Buffer[]} */
  const pictures = [];
  for (let seed = 1; seed <= (bench.quick ? 10 : 120); seed++) pictures.push(await ordinaryScreenshot(seed));
  const senders = await Promise.all(students.slice(1, 1 + pictures.length).map(tokenOf));
  const other = await tokenOf(/** @type {import("../frame/stage.mjs").Student} */ (students[0]));
  const small = { ports: [site.port], connections: 1, pauseMs };
  const before = await load({ ...small, seconds: bench.seconds, next: () => smallRequest(other) });
  /** @type {{ perSecond: number, p99: number, cpu: number }[]} */
  const rounds = [];
  for (let round = 0; round <= bench.rounds; round++) {
    const verify = await checkCount(site.db, { stored_objects: 1, screenshot_fingerprints: 1, duplicate_screenshots: 0 });
    let turn = 0;
    let isOver = false;
    await untilQuiet(treeOf(site.pid));
    const cpuBefore = cpuMs(treeOf(site.pid)) ?? Number.NaN;
    const next = () => {
      const [picture, token] = [pictures[turn], senders[turn++]];
      return picture && token ? formOf(picture, token) : undefined;
    };
    const uploads = load({ ports: [site.port], connections: 8, seconds: 120, next }).finally(() => (isOver = true));
    const others = load({ ...small, seconds: 120, next: () => (isOver ? undefined : smallRequest(other)) });
    const [{ perSecond, count }, { p99 }] = await Promise.all([uploads, others]);
    const cpu = ((cpuMs(treeOf(site.pid)) ?? Number.NaN) - cpuBefore) / count;
    await verify(count);
    bench.say(`${perSecond.toFixed(1)}/s, others' p99 ${p99.toFixed(1)} ms`);
    if (round > 0) rounds.push({ perSecond, p99, cpu });
    // The same pictures again are no duplicates.
    await site.db.query("truncate screenshot_fingerprints, duplicate_screenshots");
  }
  const p99 = median(rounds.map((round) => round.p99));
  return [
    absolute("screenshots of 1 MB", median(rounds.map(({ perSecond }) => perSecond)), "/s", {
      atLeast: 60,
      cpu: median(rounds.map(({ cpu }) => cpu)).toFixed(0),
    }),
    absolute("p99 of others meanwhile", p99, "ms", { atMost: unnoticedMs, beside: `alone ${before.p99.toFixed(1)} ms` }),
  ];
}

/** @param {string} token @returns {import("../frame/load.mjs").Sending} */
function smallRequest(token) {
  return {
    bytes: requestBytes("GET", "/api/me", { authorization: `Bearer ${token}` }),
    check({ status }) {
      if (status !== 200) throw new Error(`A request was answered ${status}.`);
    },
  };
}

/** @param {Buffer} picture @param {string} token @returns {import("../frame/load.mjs").Sending} */
export function formOf(picture, token) {
  const boundary = "bench-boundary";
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="paid.png"\r\ncontent-type: image/png\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), picture, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": `multipart/form-data; boundary=${boundary}`,
    "content-length": String(body.length),
  };
  return {
    bytes: Buffer.concat([requestBytes("POST", "/storage/v1/object/payment-screenshots", headers), body]),
    check(reply) {
      if (reply.status !== 201) throw new Error(`A screenshot was answered ${reply.status}: ${reply.body.toString()}`);
    },
  };
}
