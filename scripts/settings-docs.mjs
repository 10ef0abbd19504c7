// @ts-check
// Writes .env.example and the README's list of settings from src/server/settings.ts and the folder beside it; `--check` only says whether they are current.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { giveUp, installIfNeeded, projectDir } from "./install.mjs";

await installIfNeeded();
// Loaded here: before the installation there is no Vite.
const { runnerImport } = await import("vite");
const source = join(projectDir, "src/server/settings.ts");
/** @typedef {{ name: string; fallback?: string; example?: string; description: string }} Setting */
/** @type {{ module: { settings: Record<string, Record<string, Setting>> } }} */
const { module } = await runnerImport(source, { configFile: false, root: projectDir });

/** @type {[subject: string, settings: Setting[]][]} */
const subjects = Object.entries(module.settings).map(([subject, group]) => [titled(subject), Object.values(group)]);

const envExample = [
  "# Every setting is optional, except ADMIN_EMAIL, which production needs. Copy to .env and uncomment what you need. Written by `npm run docs` from src/server/settings.ts.",
  ...subjects.flatMap(([subject, settings]) => [
    `\n## ${subject}`,
    ...settings.map(
      ({ name, fallback, example, description }) => `\n# ${description}\n#${name}=${quoted(fallback ?? example ?? "")}`,
    ),
  ]),
  "",
].join("\n");

const list = subjects.flatMap(([subject, settings]) => [
  `\n**${subject}**\n`,
  ...settings.map(
    ({ name, fallback, description }) => `- \`${name}\`${fallback === undefined ? "" : ` (\`${fallback}\`)`}: ${description}`,
  ),
]);
const readmePath = join(projectDir, "README.md");
const readme = readFileSync(readmePath, "utf8");
const place = /(<!-- settings -->\n)[\s\S]*?(<!-- \/settings -->)/;
if (!place.test(readme)) giveUp("README.md has no place for the settings.");
const withSettings = readme.replace(place, (_whole, start, end) => `${start}${list.join("\n")}\n\n${end}`);

keep(join(projectDir, ".env.example"), envExample);
keep(readmePath, withSettings);

/** @param {string} path @param {string} text */
function keep(path, text) {
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else if (readFileSync(path, "utf8") !== text) giveUp(`${path.slice(projectDir.length + 1)} is not current: npm run docs`);
}

/** @param {string} word */
function titled(word) {
  return word[0]?.toUpperCase() + word.slice(1);
}

/** @param {string} value */
function quoted(value) {
  return /[\s<>#]/.test(value) ? `"${value}"` : value;
}
