import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { settings, type Setting } from "#server/settings";

const all: Setting[] = Object.values(settings).flatMap((group) => Object.values(group));

/** The server's code without comments; the two files that define and parse the settings do not count as their readers. */
const code = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "src/server/**.ts"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "" && !/\.test\.ts$|^src\/server\/(config|settings)\.ts$/.test(file))
  .map((file) => readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/ .*/g, ""))
  .join("\n");

/** Returns what no file of the server reads, in the one form that settings are read in. */
function unread(bySubject: Record<string, object>): string[] {
  return Object.entries(bySubject)
    .flatMap(([subject, group]) => Object.keys(group).map((key) => `config.${subject}.${key}`))
    .filter((setting) => !new RegExp(`\\b${setting.replaceAll(".", String.raw`\.`)}\\b`).test(code));
}

it("finds each setting read by the server as config.<subject>.<key>", () => expect(unread(settings)).toEqual([]));

it("reports a setting that is documented but never read", () => {
  const server = { ...settings.server, forgotten: settings.server.host };
  expect(unread({ ...settings, server })).toEqual(["config.server.forgotten"]);
});

it("has one setting for each environment variable", () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
});

it("documents only fallbacks and examples that the server accepts", () => {
  const documented = all.map(({ name, schema, fallback, example }) => ({ name, schema, text: fallback ?? example }));
  const wrong = documented.filter(({ schema, text }) => text !== "" && !schema.safeParse(text).success);
  expect(wrong.map(({ name }) => name)).toEqual([]);
});
