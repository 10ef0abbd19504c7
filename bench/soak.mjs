// @ts-check
// Twenty minutes of traffic with one fault a minute: `npm run soak`, `SOAK_MINUTES=2 npm run soak` for a look. Prints figures; only
// a lost promise fails it.
import { buildIfStale, installIfNeeded, projectDir } from "../scripts/install.mjs";
import { numberAbove } from "../scripts/number-above.mjs";

// The first minute has no fault.
const minutes = numberAbove(1, "SOAK_MINUTES", process.env["SOAK_MINUTES"] ?? "20");
process.chdir(projectDir);
await installIfNeeded();
await buildIfStale("site");
// Loaded here: before the installation there is no Vite.
const { runnerImport } = await import("vite");
/** @type {{ module: { soak(minutes: number, say: (line: string) => void): Promise<string[]> } }} */
const { module } = await runnerImport("./tests/faults/soak.ts", { configFile: false });
const lost = await module.soak(minutes, (line) => console.log(line));
for (const what of lost) console.error(`lost: ${what}`);
process.exit(lost.length === 0 ? 0 : 1);
