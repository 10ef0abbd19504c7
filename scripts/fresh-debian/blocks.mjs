// @ts-check
// The marked blocks of docs/operations.md. The mark is a comment above the block, which no reader sees.
import { readFileSync } from "node:fs";

/**
 * @typedef {object} Block
 * @property {"run" | "fetches" | "serves" | "file"} kind `fetches` needs the network, `serves` runs until it is stopped, `file` is a file's content
 * @property {string} path of the file
 * @property {string} text
 */

const marked = /^( *)<!-- (run|file)(?:: (\S+))? -->\n+ *```sh\n([^]*?)\n *```$/gm;

/** Returns the blocks in their order. @param {string} page @returns {Block[]} */
export function blocksOf(page) {
  const text = readFileSync(page, "utf8");
  const blocks = [...text.matchAll(marked)].map(([, indent = "", mark = "", word = "", lines = ""]) => ({
    kind: /** @type {Block["kind"]} */ (mark === "file" ? "file" : word || "run"),
    path: word,
    text: lines.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  }));
  const marks = text.match(/<!-- (run|file)/g)?.length ?? 0;
  if (blocks.length === 0 || blocks.length !== marks)
    throw new Error(`${marks} marks in ${page}, ${blocks.length} blocks behind one.`);
  return blocks;
}
