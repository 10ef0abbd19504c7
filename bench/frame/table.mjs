// @ts-check
// The figures as a Markdown table, which a terminal displays as well.
import { cpus, totalmem } from "node:os";

const titles = ["what", "ours", "beside", "ratio", "by CPU", "line", "", "p99 ms", "CPU ms", "peak MB", "generator"];

/** @param {import("./figures.mjs").Figure[]} figures */
export function tableOf(figures) {
  const rows = figures.map(({ what, ours, beside, ratio, byCpu, line, isReached, p99, cpu, memory, generator }) => {
    const verdict = isReached === undefined ? "" : isReached ? "met" : "NOT MET";
    return [what, ours, beside, ratio?.toFixed(2) ?? "", byCpu?.toFixed(2) ?? "", line, verdict, p99, cpu, memory, generator];
  });
  const widths = titles.map((title, column) => Math.max(3, title.length, ...rows.map((row) => (row[column] ?? "").length)));
  const line = (/** @type {string[]} */ cells) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(titles), `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...rows.map(line)].join("\n");
}

/** Returns what the table was measured on. */
export function machine() {
  const all = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${all.length} cores (${all[0]?.model.trim() ?? "unknown"}), ${memory} GB, ${process.platform}, Node.js ${process.versions.node}`;
}
