import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { environmentInside } from "../../scripts/fresh-debian/machine.mjs";
import { settings, type Setting } from "#server/settings";

const all: Setting[] = Object.values(settings).flatMap((group) => Object.values(group));

/** The settings of 0.1.0, which the changelog does not list. */
const released = new Set(
  (
    "PORT HOST PUBLIC_URL TRUST_PROXY RATE_LIMITS MAX_STREAMS DATABASE_URL DATA_DIR MAX_SCREENSHOT_BYTES MAX_VIDEO_BYTES ADMIN_EMAIL " +
    "ADMIN_PASSWORD SITE_NAME SMTP_URL MAIL_FROM PRICE_API_URL UPGRADE_CREDIT METRICS_TOKEN LOG_LEVEL"
  ).split(" "),
);

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "src/server", "tests"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => file.endsWith(".ts") && !file.startsWith("tests/boundaries/") && existsSync(file));
const isTest = (file: string): boolean => file.startsWith("tests/") || file.endsWith(".test.ts");
const textOf = (names: string[]): string => names.map((file) => readFileSync(file, "utf8")).join("\n");

/** The server without comments, and without the files that define and parse the settings. */
const code = textOf(
  files.filter((file) => !isTest(file) && !/^src\/server\/(config|settings(\/\w+)?)\.ts$/.test(file)),
).replace(/\/\*[\s\S]*?\*\/|\/\/ .*/g, "");

/** Returns the settings that no file of the server reads in the one form that settings are read in. */
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

it("starts every site of a test or a bench without the machine's settings and .env", () => {
  expect(all.map(({ name }) => [name, process.env[name]])).toEqual(
    all.map(({ name }) => [name, name === "NODE_ENV" ? "test" : ""]),
  );
  const folders = ["*.config.*", "tests/*/config.ts", "tests/support", "bench", "scripts"];
  const starters = execFileSync("git", ["ls-files", "-co", "--exclude-standard", ...folders], { encoding: "utf8" })
    .split("\n")
    // Development, and the build, are of the machine's own site.
    .filter((file) => /\.m?ts$|\.mjs$/.test(file) && !/^(scripts\/dev\.mjs|vite\.config\.ts)$/.test(file) && existsSync(file))
    .filter((file) => /\bdefineConfig\(|dist\/server\/main\.js/.test(readFileSync(file, "utf8")));
  expect(starters).toEqual(expect.arrayContaining(["playwright.config.ts", "bench/site.mjs"]));
  // A configuration that begins with another one has done it too.
  const forgets = /^ *forgetSettings\(\);$|^import \w+ from "\.\.\/\.\.\/(?:vitest|playwright)\.config\.ts";$/m;
  expect(starters.filter((file) => !forgets.test(readFileSync(file, "utf8")))).toEqual([]);
});

it("starts the sites of npm run fresh-debian without the machine's settings", () => {
  const settingsOfTheMachine = Object.fromEntries(all.map(({ name }) => [name, "live"]));
  const inside = environmentInside({ ...settingsOfTheMachine, https_proxy: "http://proxy.example.com" });
  expect(Object.keys(inside).toSorted()).toEqual(["DEBIAN_FRONTEND", "HOME", "LC_ALL", "PATH", "https_proxy"]);
});

it("finds each setting in a test and each new one in the changelog", () => {
  const tests = textOf(files.filter(isTest));
  const changelog = readFileSync("CHANGELOG.md", "utf8");
  const names = (text: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(text);
  const missing = all.flatMap(({ name }) => [
    ...(names(tests, name) ? [] : [`${name}: test`]),
    ...(released.has(name) || names(changelog, name) ? [] : [`${name}: CHANGELOG.md`]),
  ]);
  expect(missing, "Settings that no test sets, or that CHANGELOG.md does not name").toEqual([]);
});
