import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowed, importedByTypes, lintViolations, typeStages, type SourceFile } from "./violations.ts";

/** Each wall is proven on copies of the house: clean, it passes; with a violation in it, it fails by the wall's name. */
const project = resolve(import.meta.dirname, "../..");
const site = join(project, ".cache/walls");

/** What was said about each file, in one text. */
type Findings = Map<string, string>;

let clean: { house: string; lint: Findings; types: Findings };
beforeAll(async () => {
  await mkdir(site, { recursive: true });
  const house = await build();
  clean = { house, lint: await lint(house), types: await compile(house) };
}, 120_000);
afterAll(() => rm(site, { recursive: true, force: true }));

describe("an untouched copy", () => {
  it("passes lint", () => expect(clean.lint).toEqual(new Map()));
  it("passes the types", () => expect(clean.types).toEqual(new Map()));
});

describe("lint", () => {
  let found: Findings;
  beforeAll(async () => {
    found = await lint(await withFiles([...lintViolations, ...allowed]));
  }, 60_000);

  it.each(lintViolations)("refuses $file: $wall", ({ file, says }) => expect(found.get(file)).toContain(says));
  it.each(allowed)("accepts $file", ({ file }) => expect(found.get(file)).toBeUndefined());
});

describe.each(typeStages)("the types, where $about", ({ violations }) => {
  let found: Findings;
  beforeAll(async () => {
    found = await compile(await withFiles([...violations, importedByTypes]));
  }, 60_000);

  it.each(violations)("refuse $file: $wall", ({ file, says }) => expect(found.get(file)).toContain(says));
});

/** A copy of the house; returns its folder. */
async function build(): Promise<string> {
  const house = await mkdtemp(join(site, "house-"));
  for (const part of ["src", "tests/walls", "package.json", "tsconfig.base.json"]) {
    await cp(join(project, part), join(house, part), { recursive: true });
  }
  await symlink(join(project, "node_modules"), join(house, "node_modules"));
  const config = JSON.parse(await readFile(join(project, ".oxlintrc.json"), "utf8"));
  // Walls need no types, and the rules that do stumble over imports of what is not there.
  const withoutTypes = { ...config, options: { ...config.options, typeAware: false } };
  await writeFile(join(house, ".oxlintrc.json"), JSON.stringify(withoutTypes));
  // A repository of its own, or oxlint would heed the .gitignore around it.
  await mkdir(join(house, ".git"));
  return house;
}

/** A copy of the clean house with files added. What was compiled there comes along and need not be compiled again. */
async function withFiles(files: SourceFile[]): Promise<string> {
  const house = await mkdtemp(join(site, "house-"));
  await cp(clean.house, house, { recursive: true, verbatimSymlinks: true });
  for (const { file, code } of files) {
    await mkdir(dirname(join(house, file)), { recursive: true });
    await writeFile(join(house, file), `${code}\n`);
  }
  return house;
}

async function lint(house: string): Promise<Findings> {
  const { diagnostics } = JSON.parse(await run(house, "oxlint/bin/oxlint", ["--format=json", "src", "tests"]));
  return byFile(
    diagnostics.map((fault: Record<string, string>) => [fault["filename"], `${fault["code"]}: ${fault["message"]}`]),
  );
}

async function compile(house: string): Promise<Findings> {
  const output = await run(house, "typescript/bin/tsc", ["-b", "src/domain", "src/server", "src/web"]);
  const faults = output.split("\n").map((line) => /^([^ (]+)\(\d+,\d+\): (.*)$/.exec(line));
  return byFile(faults.flatMap((match) => (match ? [[match[1]!, match[2]!]] : [])));
}

function byFile(faults: [file: string, text: string][]): Findings {
  const findings: Findings = new Map();
  for (const [file, text] of faults) findings.set(file, `${findings.get(file) ?? ""}${text}\n`);
  return findings;
}

/** Runs a tool of the project in a copy. Faults make it fail, so only the absence of any output is an error here. */
function run(house: string, tool: string, options: string[]): Promise<string> {
  return new Promise((done, fail) => {
    const command = [join(house, "node_modules", tool), ...options];
    execFile(process.execPath, command, { cwd: house, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      if (error && stdout === "") fail(new Error(stderr, { cause: error }));
      else done(stdout);
    });
  });
}
