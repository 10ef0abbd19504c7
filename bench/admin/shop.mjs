// @ts-check
// A built site whose embedded database has the rows of a shop, and its admin signed in.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { admin, openClient } from "../frame/stage.mjs";
import { signIn } from "../frame/tokens.mjs";
import { databaseOf, startSite } from "../site.mjs";

/** @typedef {{ requests: number, users: number, pending: number }} Size */
/** @typedef {{ ms: number, bytes: number, body: any }} Reply */

/**
 * Starts a site and fills its database.
 * @param {Pick<import("../frame/bench.mjs").Bench, "atEnd" | "say">} bench
 * @param {Size} size
 */
export async function openShop(bench, size) {
  const site = await startSite({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password });
  bench.atEnd(site.stop);
  try {
    const home = join(site.folder, "data", "postgres");
    const client = await openClient(bench, databaseOf(site).host, "pipwright");
    await fill(client, size, bench.say);
    return inspected(site, client, join(home, "postgres.log"), size);
  } catch (error) {
    await site.stop();
    throw error;
  }
}

/**
 * @param {Awaited<ReturnType<typeof startSite>>} site
 * @param {import("pg").Client} client of a superuser
 * @param {string} log of the database's server
 * @param {Size} size
 */
function inspected(site, client, log, size) {
  const token = tokens(site.origin);
  return {
    client,
    log,
    site,
    token,
    size,
    /** @param {string} path */
    get: (path) => get(site.origin, path, token),
    async stop() {
      await client.end();
      await site.stop();
    },
  };
}

/** @typedef {ReturnType<typeof inspected>} Shop */

/** Indexes are built at the end, which takes a fraction of the time. @param {import("pg").Client} client @param {Size} size @param {(line: string) => void} say */
async function fill(client, { requests, users, pending }, say) {
  say(`writing ${requests.toLocaleString("en")} payment requests and ${users.toLocaleString("en")} users`);
  const { rows: indexes } = await client.query(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid::regclass::text in ('payment_requests', 'profiles', 'audit_log', 'screenshot_fingerprints', 'transfer_slips')
      and not exists (select from pg_constraint where conindid = indexrelid)`);
  const rows = readFileSync(join(import.meta.dirname, "rows.sql"), "utf8");
  /** @type {Record<string, number>} */
  const numbers = { $requests: requests, $users: users, $pending: pending };
  await client.query(indexes.map(({ name }) => `drop index ${name};`).join("\n"));
  await client.query(rows.replaceAll(/\$(requests|users|pending)/g, (/** @type {string} */ name) => String(numbers[name])));
  say(`building ${indexes.length} indexes`);
  for (const { definition } of indexes) await client.query(definition);
  await client.query("vacuum analyze");
  await client.query("checkpoint");
}

/** A token ends after ten minutes, so each is used for five. @param {string} origin */
function tokens(origin) {
  let token = "";
  let until = 0;
  return async () => {
    if (Date.now() > until) {
      token = (await signIn(origin, admin)).access_token;
      until = Date.now() + 5 * 60_000;
    }
    return token;
  };
}

/** @param {string} origin @param {string} path @param {() => Promise<string>} token @returns {Promise<Reply>} */
async function get(origin, path, token) {
  const headers = { authorization: `Bearer ${await token()}` };
  const start = performance.now();
  const reply = await fetch(origin + path, { headers });
  const text = await reply.text();
  const ms = performance.now() - start;
  if (!reply.ok) throw new Error(`GET ${path} answered ${reply.status}: ${text.slice(0, 200)}`);
  return { ms, bytes: text.length, body: text.startsWith("{") ? JSON.parse(text) : text };
}
