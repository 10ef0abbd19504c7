// @ts-check
// Ten minutes of faults at random on a site under traffic, then every acknowledged promise is checked: `npm run torture`, or
// `npm run torture -- --minutes=1 --seed=7 --disk` for a shorter one, the same faults again, or files on the disk. Prints one table; fails
// when anything is lost, or no fault was put.
import { parseArgs } from "node:util";
import { installS3Server } from "./debian.mjs";
import { buildIfStale, installIfNeeded, projectDir, say } from "./install.mjs";
import { testInMemory } from "./memory-base.mjs";
import { numberAbove } from "./number-above.mjs";

const { values } = parseArgs({
  options: { minutes: { type: "string" }, seed: { type: "string" }, disk: { type: "boolean" } },
});
const minutes = numberAbove(0, "--minutes", values.minutes ?? "10");
process.chdir(projectDir);
await installIfNeeded();
if (!values.disk) installS3Server(", or without S3: npm run torture -- --disk");
await buildIfStale("site");
testInMemory();
// Loaded here: before the installation there is no Vite.
const { runnerImport } = await import("vite");
/** @typedef {{ seconds: number, seed: number, wantsStore: boolean, backsUp: boolean, say: (line: string) => void }} Options */
/** @type {{ module: { runTorture(options: Options): Promise<boolean> } }} */
const { module } = await runnerImport("./tests/faults/torture/command.ts", { configFile: false });
const hasHeld = await module.runTorture({
  seconds: minutes * 60,
  seed: Number(values.seed ?? Math.floor(Math.random() * 1e9)),
  wantsStore: values.disk !== true,
  backsUp: true,
  say,
});
process.exit(hasHeld ? 0 : 1);
