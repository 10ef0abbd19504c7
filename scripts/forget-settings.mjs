// @ts-check
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The names of all settings. */
export function settingNames() {
  const list = readFileSync(join(import.meta.dirname, "../.env.example"), "utf8");
  return [...list.matchAll(/^#([A-Z][A-Z\d_]*)=/gm)].map(([, name = ""]) => name);
}

/**
 * Empties every setting in this process, as which it counts as not set, for all that it starts: sites of tests and benches must have nothing of the
 * machine's own settings or of `.env`, which does not replace a variable that is there. They could work on a live bucket or database.
 */
export function forgetSettings() {
  for (const name of settingNames()) process.env[name] = name === "NODE_ENV" ? "test" : "";
}
