// @ts-check
// The plans of the statements that a call really runs, as auto_explain writes them to the server's log.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** Tables with more rows than this must be read by an index. */
const bigTable = 20_000;

/** @typedef {{ "Node Type": string, "Relation Name"?: string, "Index Name"?: string, Plans?: Node[] }} Node */

/**
 * Has the site's connections write plans from now on; returns a function that returns the plans since it was called last.
 * @param {import("./shop.mjs").Shop} shop
 */
export async function openPlans({ client, log }) {
  await client.query(`
    alter role pipwright_site set session_preload_libraries = 'auto_explain';
    alter role pipwright_site set auto_explain.log_min_duration = 0;
    alter role pipwright_site set auto_explain.log_format = 'json';
    alter role pipwright_site set auto_explain.log_parameter_max_length = 0;
    select pg_terminate_backend(pid) from pg_stat_activity where usename = 'pipwright_site'`);
  let position = sizeOf(log);
  return () => {
    const end = sizeOf(log);
    const text = readBetween(log, position, end);
    position = end;
    return [...text.matchAll(/ plan:\n((?:\t.*\n)+)/g)].map(
      ([, json]) => /** @type {{ "Query Text": string, Plan: Node }} */ (JSON.parse(json ?? "")),
    );
  };
}

/** Returns the big tables with how many rows the planner thinks they have. @param {import("pg").Client} client */
export async function bigTables(client) {
  const { rows } = await client.query("select relname from pg_class where relkind = 'r' and reltuples > $1", [bigTable]);
  return new Set(rows.map(({ relname }) => relname));
}

/** Returns what plans read: indexes by name, and big tables that were read whole. @param {Node[]} plans @param {Set<string>} big */
export function readOf(plans, big) {
  const nodes = plans.flatMap(nodesOf);
  const whole = nodes.filter((node) => node["Node Type"] === "Seq Scan" && big.has(node["Relation Name"] ?? ""));
  return {
    indexes: new Set(nodes.flatMap((node) => node["Index Name"] ?? [])),
    whole: new Set(whole.map((node) => /** @type {string} */ (node["Relation Name"]))),
  };
}

/** @param {Node} node @returns {Node[]} */
function nodesOf(node) {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

/** @param {string} path */
function sizeOf(path) {
  const file = openSync(path, "r");
  const { size } = fstatSync(file);
  closeSync(file);
  return size;
}

/** @param {string} path @param {number} start @param {number} end */
function readBetween(path, start, end) {
  const file = openSync(path, "r");
  const bytes = Buffer.alloc(end - start);
  readSync(file, bytes, 0, bytes.length, start);
  closeSync(file);
  return bytes.toString("utf8");
}
