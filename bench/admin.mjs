// @ts-check
// What the admin's pages take with 1,000,000 payment requests and 200,000 users, beside 1,000 and 200: `npm run bench:admin`. Two built sites with an
// embedded database each, asked in turns over loopback. Prints the medians and what the statements read; fails where the big shop takes over three
// times as long, or reads a big table whole. Takes a quarter of an hour and 10 GB, in memory where there is room. BENCH_ROUNDS sets how often each is
// asked (15), BENCH_REQUESTS the size of the big shop, BENCH_PLANS=1 prints every plan.
import { buildIfStale, installIfNeeded, projectDir } from "../scripts/install.mjs";
import { writeToMemory } from "./frame/in-memory.mjs";

process.chdir(projectDir);
await installIfNeeded();
await buildIfStale("site");
writeToMemory(10, say);
// Loaded here: before the installation there is no pg.
const { openShop } = await import("./admin/shop.mjs");
const { closeOnSignal, openBench } = await import("./frame/bench.mjs");
const { compare } = await import("./admin/compare.mjs");

const requests = Number(process.env["BENCH_REQUESTS"] ?? 1_000_000);

const bench = openBench({ quick: false, rounds: 1, say });
const isStopped = closeOnSignal(bench);
let succeeded = false;
try {
  const small = await openShop(bench, { requests: 1000, users: 200, pending: 60 });
  const big = await openShop(bench, { requests, users: Math.ceil(requests / 5), pending: 2000 });
  succeeded = await compare(small, big, say);
} catch (error) {
  if (!isStopped()) throw error;
} finally {
  await bench.close();
}
if (isStopped()) process.exit(130);
console.log(succeeded ? "\nAll within the line, all by index." : "\nNot all are within the line, or by index.");
process.exit(succeeded ? 0 : 1);

/** @param {string} what */
function say(what) {
  process.stderr.write(`  ${what}\n`);
}
