// @ts-check
// Twenty minutes of traffic with one fault a minute: `npm run soak`, `SOAK_MINUTES=2 npm run soak` for a look. Prints figures; only
// a lost promise fails it.
import { runnerImport } from "vite";
import { buildIfStale, projectDir } from "../scripts/install.mjs";

process.chdir(projectDir);
await buildIfStale("site");
/** @type {{ module: { soak(minutes: number, say: (line: string) => void): Promise<string[]> } }} */
const { module } = await runnerImport("./tests/faults/soak.ts", { configFile: false });
const lost = await module.soak(Number(process.env["SOAK_MINUTES"] ?? 20), (line) => console.log(line));
for (const what of lost) console.error(`lost: ${what}`);
process.exit(lost.length === 0 ? 0 : 1);
