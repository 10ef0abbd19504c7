// @ts-check
// Writes .env.example and the README's list of settings from src/server/settings.ts; `--check` only says whether they are current.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transformWithOxc } from "vite";
import { giveUp, projectDir } from "./install.mjs";

const source = join(projectDir, "src/server/settings.ts");
const { code } = await transformWithOxc(readFileSync(source, "utf8"), source);
/** @type {{ settings: Record<string, { fallback?: string; description: string; example?: string }> }} */
const { settings } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
const entries = Object.entries(settings);

const envExample = [
  "# Every setting is optional. Copy to .env and uncomment what you need. Written by `npm run docs` from src/server/settings.ts.",
  ...entries.map(
    ([name, { fallback, description, example }]) => `\n# ${description}\n#${name}=${quoted(fallback ?? example ?? "")}`,
  ),
  "",
].join("\n");

const list = entries.map(
  ([name, { fallback, description }]) => `- \`${name}\`${fallback === undefined ? "" : ` (\`${fallback}\`)`}: ${description}`,
);
const readmePath = join(projectDir, "README.md");
const readme = readFileSync(readmePath, "utf8");
const place = /(<!-- settings -->\n)[\s\S]*?(<!-- \/settings -->)/;
if (!place.test(readme)) giveUp("README.md has no place for the settings.");
const withSettings = readme.replace(place, (_whole, start, end) => `${start}\n${list.join("\n")}\n\n${end}`);

keep(join(projectDir, ".env.example"), envExample);
keep(readmePath, withSettings);

/** @param {string} path @param {string} text */
function keep(path, text) {
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else if (readFileSync(path, "utf8") !== text) giveUp(`${path.slice(projectDir.length + 1)} is not current: npm run docs`);
}

/** @param {string} value */
function quoted(value) {
  return /[\s<>#]/.test(value) ? `"${value}"` : value;
}
