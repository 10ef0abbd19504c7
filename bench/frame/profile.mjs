// @ts-check
// Where the site's CPU time goes: `npm run bench -- submit --profile`.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What a V8 profile has of a call. @typedef {{ id: number, callFrame: { functionName: string, url: string }, children?: number[] }} Node */

const idle = "(idle)";

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
    const { url } = at.callFrame;
    const [, name] = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
    if (name !== undefined) return name;
    if (url.includes("/dist/server/")) return "the site";
  }
  return "Node.js";
}
