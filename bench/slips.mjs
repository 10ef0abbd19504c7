// @ts-check
// Draws 300 transfer slips with real codes, changes each as cameras, messengers and photo apps do, has the picture process look for the
// codes, and prints how many it read, and how long the longest took: `node bench/slips.mjs [count] [seed]`.
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";

const [count = "300", seed = String(Math.floor(Math.random() * 1e6))] = process.argv.slice(2);
const root = resolve(import.meta.dirname, "..");
const outDir = join(root, ".cache", `bench-slips-${process.pid}`);
const input = {
  "picture-worker": "src/server/platform/pictures/picture-worker.ts",
  bench: "tests/support/slips/bench.ts",
};
try {
  const rolldownOptions = { input };
  await build({
    root,
    configFile: false,
    logLevel: "warn",
    build: { ssr: true, target: "node20", outDir, minify: false, rolldownOptions },
  });
  const { printSlips } = await import(pathToFileURL(join(outDir, "bench.js")).href);
  await printSlips(join(outDir, "picture-worker.js"), Number(count), Number(seed));
} finally {
  await rm(outDir, { recursive: true, force: true });
}
