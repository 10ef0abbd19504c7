// @ts-check
// A price that is promised for half an hour, for a student who has asked before.
import { deepStrictEqual } from "node:assert";
import { compared } from "../frame/figures.mjs";
import { checkCount, quoteRequest, sendAndParse } from "../frame/payments.mjs";
import { sideBySide } from "../frame/rounds.mjs";

/** Students who take turns. */
const count = 200;

/** @param {import("../frame/bench.mjs").Bench} bench */
export async function run(bench) {
  const { site, bare, students, tokenOf } = await bench.stage();
  const asking = students.slice(1, 1 + count);
  const siteRequests = () => requestsOf(asking, tokenOf);
  const bareRequests = async () => asking.map(({ sessionId }) => quoteRequest(sessionId));
  const [ours, theirs] = [await promisedBy(site, await siteRequests()), await promisedBy(bare, await bareRequests())];
  deepStrictEqual(theirs, ours, "Both promise the same.");

  const [measured, beside] = await sideBySide(bench, [
    { server: site, round: () => round(site.db, siteRequests) },
    { server: bare, round: () => round(bare.db, bareRequests) },
  ]);
  return [compared("quote", measured, beside, 0.4)];
}

/** @param {import("../frame/rounds.mjs").Server} server @param {Buffer[]} requests */
async function promisedBy({ port }, [first]) {
  const { amount_usd, methods } = await sendAndParse(port, /** @type {Buffer} */ (first), 201);
  const promised = methods.map((/** @type {any} */ { crypto_type, amount_crypto, wallet_address }) => [
    crypto_type,
    amount_crypto,
    wallet_address,
  ]);
  return [amount_usd, promised];
}

/**
 * Prepares a round of the site alone.
 * @param {import("../frame/stage.mjs").Stage} stage
 */
export function quoteRound({ site, students, tokenOf }) {
  return round(site.db, () => requestsOf(students.slice(1, 1 + count), tokenOf));
}

/** @param {import("../frame/stage.mjs").Student[]} students @param {(student: import("../frame/stage.mjs").Student) => Promise<string>} tokenOf */
function requestsOf(students, tokenOf) {
  return Promise.all(students.map(async (student) => quoteRequest(await tokenOf(student))));
}

/** @param {import("pg").Client} db @param {() => Promise<Buffer[]>} requests */
async function round(db, requests) {
  const all = await requests();
  const stored = await checkCount(db, { quotes: 1 });
  let turn = 0;
  const check = (/** @type {import("../frame/load.mjs").Reply} */ { status, body }) => {
    if (status !== 201) throw new Error(`A quote was answered ${status}: ${body.toString()}`);
  };
  return { next: () => ({ bytes: /** @type {Buffer} */ (all[turn++ % all.length]), check }), verify: stored };
}
