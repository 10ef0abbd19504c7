// @ts-check
import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Empties every setting in this process, as which it counts as not set, for all that it starts: sites of tests and benches must have nothing of the
 * machine's own settings or of `.env`, which does not replace a variable that is there. They could work on a live bucket or database.
 */
export function forgetSettings() {
  const list = readFileSync(join(import.meta.dirname, "../.env.example"), "utf8");
  for (const [, name = ""] of list.matchAll(/^#([A-Z][A-Z\d_]*)=/gm)) process.env[name] = name === "NODE_ENV" ? "test" : "";
}
