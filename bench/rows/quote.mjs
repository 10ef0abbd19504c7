// @ts-check
// A price that is promised for half an hour, for a student who was promised another yesterday, and whose page has just replaced its quote.
import { deepStrictEqual } from "node:assert";
import { compared } from "../frame/figures.mjs";
import { checkCount, quoteRequest, sendAndParse } from "../frame/payments.mjs";
import { sideBySide } from "../frame/rounds.mjs";

/** Each student asks a few times a round: a page's line of quotes must be as short beside a server that answers more. */
const [count, most] = [800, 4];

/** @typedef {import("../frame/stage.mjs").Student} Student */
/** @typedef {import("../frame/rounds.mjs").Server & { db: import("pg").Client }} Server */
/** @typedef {(student: Student) => Promise<string>} TokenOf */

/** @param {import("../frame/bench.mjs").Bench} bench */
export async function run(bench) {
  const { site, bare, students, tokenOf } = await bench.stage();
  const sessionOf = async (/** @type {Student} */ { sessionId }) => sessionId;
  const theirs = await secondQuote(bare, students, sessionOf);
  deepStrictEqual(theirs, await secondQuote(site, students, tokenOf), "Both promise the same.");

  const [measured, beside] = await sideBySide(bench, [
    { server: site, round: () => round(site, students, tokenOf) },
    { server: bare, round: () => round(bare, students, sessionOf) },
  ]);
  return [compared("quote", measured, beside, 0.4)];
}

/** Returns a quote that replaces another, without what differs from quote to quote. @param {Server} server @param {Student[]} students @param {TokenOf} tokenOf */
async function secondQuote({ port, db }, students, tokenOf) {
  const student = /** @type {Student} */ (students[1]);
  await startAnew(db, [student]);
  const token = await tokenOf(student);
  const { id: first } = await sendAndParse(port, quoteRequest(token), 201);
  const { id, created_at, expires_at, earlier, ...rest } = await sendAndParse(port, quoteRequest(token, first), 201);
  if (earlier.length !== 1) throw new Error(`${earlier.length} earlier quotes.`);
  const { id: _, created_at: __, ...before } = earlier[0];
  return { ...rest, before, seconds: (Date.parse(expires_at) - Date.parse(created_at)) / 1000, isNew: id !== first };
}

/**
 * Prepares a round of the site alone.
 * @param {import("../frame/stage.mjs").Stage} stage
 */
export function quoteRound({ site, students, tokenOf }) {
  return round(site, students, tokenOf);
}

/** @param {Server} server @param {Student[]} students @param {TokenOf} tokenOf */
async function round({ db }, students, tokenOf) {
  const asking = students.slice(1, 1 + count);
  await startAnew(db, asking);
  const pages = await Promise.all(asking.map(async (student) => ({ token: await tokenOf(student), last: "" })));
  const stored = await checkCount(db, { quotes: 1 });
  let size = 0;
  let turn = 0;
  return {
    next() {
      const page = pages[turn++ % count];
      if (page === undefined || turn > most * count) return undefined;
      /** @param {import("../frame/load.mjs").Reply} reply */
      const check = ({ status, body, length }) => {
        size ||= length;
        if (status !== 201 || length !== size) throw new Error(`A quote was answered ${status}: ${body.toString()}`);
        page.last = JSON.parse(body.toString()).id;
      };
      return { bytes: quoteRequest(page.token, page.last || undefined), check };
    },
    verify: stored,
  };
}

/** Leaves each student one quote, which ended and had other figures. @param {import("pg").Client} db @param {Student[]} students */
async function startAnew(db, students) {
  const methods = ["bitcoin", "ethereum", "thai_bank"].map((crypto_type) => ({
    crypto_type,
    available: true,
    amount_crypto: "1",
    wallet_address: "elsewhere",
  }));
  const ids = students.map(({ id }) => id);
  await db.query("delete from quotes where user_id = any($1)", [ids]);
  await db.query(
    `insert into quotes (user_id, package_type, discount_percent, original_usd, amount_usd, methods, is_sample, created_at, expires_at)
     select id, 'starter', 0, 497, 497, $2, false, now() - interval '24 hours', now() - interval '23 hours' from unnest($1::uuid[]) as id`,
    [ids, JSON.stringify(methods)],
  );
}
