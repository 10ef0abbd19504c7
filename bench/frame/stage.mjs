// @ts-check
// The site and the bare server side by side, with the same students and lessons, each in a database of its own of one PostgreSQL.
import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { databaseOf, startSite } from "../site.mjs";
import { buyersOf } from "./buyers.mjs";
import { signIn, tokenMaker } from "./tokens.mjs";

export const admin = { email: "owner@example.com", password: "a long admin password" };
export const studentPassword = "a fine long password";

const walletSettings = {
  bitcoin_address: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  bitcoin_xpub: "",
  ethereum_address: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  bitcoin_price_usd: "45000",
  ethereum_price_usd: "3000",
  thai_bank_name: "Kasikornbank",
  thai_bank_account_number: "012-3-45678-9",
  thai_bank_account_name: "Pipwright Co., Ltd.",
  promptpay_id: "",
  unique_amounts: false,
  alert_email: "",
};

/**
 * @typedef {object} Stage
 * @property {import("./rounds.mjs").Server & { origin: string, folder: string, db: pg.Client, buyers: Buyers }} site `db` is of a superuser
 * @property {import("./rounds.mjs").Server & { db: pg.Client, buyers: Buyers }} bare
 * @property {Student[]} students verified ones, without a package but the first, who has Starter
 * @property {Awaited<ReturnType<typeof tokenMaker>>} tokenOf for the site; the bare server takes the session's id
 * @property {() => Promise<void>} stopBare
 */
/** @typedef {{ id: string, email: string, sessionId: string }} Student */
/** @typedef {ReturnType<typeof buyersOf<Student>>} Buyers */

/** @param {import("./bench.mjs").Bench} bench @returns {Promise<Stage>} */
export async function openStage(bench) {
  bench.say("starting the site and the bare server");
  const site = await startSite({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, MAX_STREAMS: "6000" });
  bench.atEnd(() => site.stop());
  const pid = /** @type {number} */ (site.pid);
  await saveWalletSettings(site.origin);
  const { host, pid: database } = databaseOf(site);
  const siteDb = await openClient(bench, host, "pipwright");
  await siteDb.query("create database bare");
  const bareDb = await openClient(bench, host, "bare");
  const migrations = join(import.meta.dirname, "../../migrations");
  for (const name of readdirSync(migrations).toSorted()) await bareDb.query(readFileSync(join(migrations, name), "utf8"));
  bench.say("writing students and lessons");
  const students = await seed(siteDb, bench.quick ? 1500 : 10_000);
  await seed(bareDb, students.length);
  await copyRows(siteDb, bareDb, ["wallet_settings", "videos", "video_progress"]);
  await bareDb.query("vacuum analyze");
  await siteDb.query("vacuum analyze");
  const { stop: stopBare, ...bare } = await startBare(bench, host, "bare");
  return {
    site: {
      name: "ours",
      port: Number(new URL(site.origin).port),
      pid,
      database,
      origin: site.origin,
      folder: site.folder,
      db: siteDb,
      buyers: buyersOf(students),
    },
    bare: { ...bare, database, db: bareDb, buyers: buyersOf(students) },
    stopBare,
    students,
    tokenOf: await tokenMaker(join(site.folder, "data")),
  };
}

/** Connects as a superuser. @param {Pick<import("./bench.mjs").Bench, "atEnd">} bench @param {string} host @param {string} database */
export async function openClient(bench, host, database) {
  const client = new pg.Client({ host, user: "pipwright", database });
  // Without a listener, the end of a database would end the bench. The next statement fails anyway.
  client.on("error", () => {});
  await client.connect();
  bench.atEnd(() => client.end());
  return client;
}

/**
 * Starts a bare server on a database.
 * @param {import("./bench.mjs").Bench} bench @param {string} host folder of PostgreSQL's socket @param {string} database
 * @returns {Promise<import("./rounds.mjs").Server & { stop: () => Promise<void> }>}
 */
export async function startBare(bench, host, database) {
  const program = join(import.meta.dirname, "../bare/server.mjs");
  const child = fork(program, [host, database], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill();
    await ended;
  };
  bench.atEnd(stop);
  const [port] = await Promise.race([
    once(child, "message"),
    ended.then(() => {
      throw new Error("The bare server ended.");
    }),
  ]);
  return { name: "bare", port, pid: /** @type {number} */ (child.pid), stop };
}

/** @param {string} origin */
async function saveWalletSettings(origin) {
  const { access_token } = await signIn(origin, admin);
  const headers = { authorization: `Bearer ${access_token}`, "content-type": "application/json" };
  const body = JSON.stringify({ ...walletSettings, current_password: admin.password });
  const reply = await fetch(`${origin}/api/wallet-settings`, { method: "PUT", headers, body });
  if (!reply.ok) throw new Error(`The wallet settings were refused: ${await reply.text()}`);
}

/** Writes students with sessions, and 60 lessons. @param {pg.Client} db @param {number} count @returns {Promise<Student[]>} */
async function seed(db, count) {
  const { hash } = await import("@node-rs/argon2");
  // The cost of the site's own hashes.
  const passwordHash = await hash(studentPassword, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const statements = readFileSync(join(import.meta.dirname, "people.sql"), "utf8");
  await db.query(statements.replaceAll("$count", String(count)).replaceAll("$hash", `'${passwordHash}'`));
  const { rows } = await db.query(`
    select accounts.id, email, sessions.id as "sessionId" from accounts join sessions on account_id = accounts.id
    where email like 'student-%' order by email`);
  return rows;
}

/** @param {pg.Client} from @param {pg.Client} to @param {string[]} tables */
async function copyRows(from, to, tables) {
  await to.query("set session_replication_role = replica");
  for (const table of tables) {
    const { rows } = await from.query(`select coalesce(json_agg(${table}), '[]')::text as json from ${table}`);
    await to.query(`delete from ${table}`);
    await to.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [rows[0].json]);
  }
  await to.query("reset session_replication_role");
}
