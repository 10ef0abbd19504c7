// @ts-check
// Where the site's CPU time goes: `npm run bench -- submit --profile`.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { serverBundle } from "../../scripts/server-bundle.mjs";

/** @typedef {{ functionName: string, url: string, lineNumber: number, columnNumber: number }} CallFrame */
/** What a V8 profile has of a call. @typedef {{ id: number, callFrame: CallFrame, children?: number[] }} Node */

const idle = "(idle)";

/** Builds the server as it is, with maps that say from which package a line is. */
export async function buildWithMaps() {
  const bundle = serverBundle();
  await build({ ...bundle, build: { ...bundle.build, sourcemap: "hidden" } });
}

/** Returns a table of the shares of all profiles in a folder, by package; what Node itself does for a package is of that package. @param {string} folder */
export function profileTable(folder) {
  /** @type {Map<string, number>} */
  const times = new Map();
  for (const name of readdirSync(folder)) addProfile(JSON.parse(readFileSync(join(folder, name), "utf8")), times);
  const all = [...times.values()].reduce((sum, time) => sum + time, 0);
  const rows = [...times]
    .toSorted(([, one], [, other]) => other - one)
    .filter(([, time]) => time > all / 100)
    .map(([of, time]) => `| ${of} | ${((100 * time) / all).toFixed(0)}% |`);
  return ["| the site's CPU time | share |", "| --- | --- |", ...rows].join("\n");
}

/** @param {{ nodes: Node[], samples: number[], timeDeltas: number[] }} profile @param {Map<string, number>} times */
function addProfile({ nodes, samples, timeDeltas }, times) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node])));
  for (const [index, id] of samples.entries()) {
    const node = byId.get(id);
    if (node === undefined || node.callFrame.functionName === idle) continue;
    const owner = ownerOf(node, parents);
    times.set(owner, (times.get(owner) ?? 0) + (timeDeltas[index] ?? 0));
  }
}

/** Returns the package that a call is made for. @param {Node} node @param {Map<number, Node>} parents */
function ownerOf(node, parents) {
  const { functionName } = node.callFrame;
  if (functionName === "(garbage collector)") return "garbage collection";
  if (functionName === "writev" || functionName === "writeUtf8String" || functionName === "writeBuffer")
    return "writes to sockets";
  for (let at = /** @type {Node | undefined} */ (node); at !== undefined; at = parents.get(at.id)) {
    const source = sourceOf(at.callFrame);
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
    if (name !== undefined) return name;
    if (source.includes("/src/") || source.includes("/dist/server/")) return "the site";
  }
  return "Node.js";
}

/** @type {Map<string, SourceMap | undefined>} */
const maps = new Map();

/** Returns the file that a call was written in. @param {CallFrame} callFrame */
function sourceOf({ url, lineNumber, columnNumber }) {
  if (!url.includes("/dist/server/")) return url;
  const map = maps.has(url) ? maps.get(url) : mapOf(fileURLToPath(url));
  maps.set(url, map);
  const entry = map?.findEntry(lineNumber, columnNumber);
  return entry && "originalSource" in entry ? entry.originalSource : url;
}

/** @param {string} file */
function mapOf(file) {
  return existsSync(`${file}.map`) ? new SourceMap(JSON.parse(readFileSync(`${file}.map`, "utf8"))) : undefined;
}
