// @ts-check
// Quotes and submits, for both servers.
import { requestBytes, sendOnce } from "./load.mjs";

/** @param {string} token @param {string} [replaces] the quote that the page displayed before */
export function quoteRequest(token, replaces) {
  return requestBytes("POST", "/api/quotes", { authorization: `Bearer ${token}` }, { package_type: "starter", replaces });
}

/** Sends a request and returns the reply's JSON. @param {number} port @param {Buffer} bytes @param {number} expected the status @returns {Promise<any>} */
export async function sendAndParse(port, bytes, expected) {
  const { status, body } = await sendOnce(port, bytes);
  if (status !== expected) throw new Error(`Answered ${status} instead of ${expected}: ${body.toString().slice(0, 300)}`);
  return JSON.parse(body.toString());
}

/**
 * Counts rows now; returns a function that throws unless each table has gained its number of rows for each request since.
 * @param {import("pg").Client} db @param {Record<string, number>} gains by a table, or a table and a condition
 */
export async function checkCount(db, gains) {
  const count = async (/** @type {string} */ table) => Number((await db.query(`select count(*) from ${table}`)).rows[0].count);
  /** @type {Record<string, number>} */
  const before = {};
  for (const table of Object.keys(gains)) before[table] = await count(table);
  return async (/** @type {number} */ requests) => {
    for (const [table, gain] of Object.entries(gains)) {
      const gained = (await count(table)) - (before[table] ?? 0);
      if (gained !== gain * requests) throw new Error(`${requests} requests left ${gained} rows in ${table}.`);
    }
  };
}
