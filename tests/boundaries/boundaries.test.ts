import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowed, importedByTypes, lintViolations, typeStages, type SourceFile } from "./violations.ts";

/** Each module boundary is tested on copies of the project: a clean copy passes, one with a violation fails with the boundary's name. */
const project = resolve(import.meta.dirname, "../..");
const site = join(project, ".cache/boundaries");

/** The findings of each file, in one text. */
type Findings = Map<string, string>;

let clean: { copy: string; lint: Findings; types: Findings };
beforeAll(async () => {
  await mkdir(site, { recursive: true });
  const copy = await build();
  clean = { copy, lint: await lint(copy), types: await compile(copy, ["domain", "server", "web"]) };
}, 300_000);
afterAll(() => rm(site, { recursive: true, force: true }));

describe("an untouched copy", () => {
  it("passes lint", () => expect(clean.lint).toEqual(new Map()));
  it("passes the types", () => expect(clean.types).toEqual(new Map()));
});

describe("lint", () => {
  let found: Findings;
  beforeAll(async () => {
    found = await lint(await withFiles([...lintViolations, ...allowed]));
  }, 300_000);

  it.each(lintViolations)("refuses $file: $boundary", ({ file, says }) => expect(found.get(file)).toContain(says));
  it.each(allowed)("accepts $file", ({ file }) => expect(found.get(file)).toBeUndefined());
});

describe.each(typeStages)("the types, where $about", ({ rooms, violations }) => {
  let found: Findings;
  beforeAll(async () => {
    found = await compile(await withFiles([...violations, importedByTypes]), rooms);
  }, 300_000);

  it.each(violations)("refuse $file: $boundary", ({ file, says }) => expect(found.get(file)).toContain(says));
});

/** Copies the project; returns the copy's folder. */
async function build(): Promise<string> {
  const copy = await mkdtemp(join(site, "copy-"));
  for (const part of ["src", "tests/boundaries", "package.json", "tsconfig.base.json"]) {
    await cp(join(project, part), join(copy, part), { recursive: true });
  }
  await symlink(join(project, "node_modules"), join(copy, "node_modules"));
  const config = JSON.parse(await readFile(join(project, ".oxlintrc.json"), "utf8"));
  // Boundaries need no types, and rules that need them fail on imports of missing files.
  // Directives against those rules are then unused.
  const options = { ...config.options, typeAware: false, reportUnusedDisableDirectives: "off" };
  const withoutTypes = { ...config, options };
  await writeFile(join(copy, ".oxlintrc.json"), JSON.stringify(withoutTypes));
  // A repository of its own, or oxlint would apply the .gitignore around it.
  await mkdir(join(copy, ".git"));
  return copy;
}

/** Copies the clean copy, with its compiled types, and adds files; returns the folder. */
async function withFiles(files: SourceFile[]): Promise<string> {
  const copy = await mkdtemp(join(site, "copy-"));
  await cp(clean.copy, copy, { recursive: true, verbatimSymlinks: true });
  for (const { file, code } of files) {
    await mkdir(dirname(join(copy, file)), { recursive: true });
    await writeFile(join(copy, file), `${code}\n`);
  }
  return copy;
}

async function lint(copy: string): Promise<Findings> {
  const { diagnostics } = JSON.parse(await run(copy, "oxlint/bin/oxlint", ["--format=json", "src", "tests"]));
  return byFile(
    diagnostics.map((fault: Record<string, string>) => [fault["filename"], `${fault["code"]}: ${fault["message"]}`]),
  );
}

async function compile(copy: string, rooms: string[]): Promise<Findings> {
  // Several threads would each check the shared types again, which takes twice the CPU.
  const options = ["-b", "--singleThreaded", "--pretty", "false", ...rooms.map((room) => `src/${room}`)];
  const output = await run(copy, "typescript/bin/tsc", options);
  const faults = output.split("\n").map((line) => /^([^ (]+)\(\d+,\d+\): (.*)$/.exec(line));
  return byFile(faults.flatMap((match) => (match ? [[match[1]!, match[2]!]] : [])));
}

function byFile(faults: [file: string, text: string][]): Findings {
  const findings: Findings = new Map();
  for (const [file, text] of faults) findings.set(file, `${findings.get(file) ?? ""}${text}\n`);
  return findings;
}

/** Runs a tool of the project in a copy. Faults make it fail, so only the absence of any output is an error here. */
function run(copy: string, tool: string, options: string[]): Promise<string> {
  return new Promise((done, fail) => {
    const command = [join(copy, "node_modules", tool), ...options];
    execFile(process.execPath, command, { cwd: copy, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      if (error && stdout === "") fail(new Error(stderr, { cause: error }));
      else done(stdout);
    });
  });
}
