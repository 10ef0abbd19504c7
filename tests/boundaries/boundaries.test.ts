import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allowed, allowedByTypes, lintViolations, typeStages, type SourceFile } from "./violations.ts";

/**
 * Each module boundary is tested on the project's own settings beside a few files: what is allowed passes, a violation fails with the
 * boundary's name. That the project itself passes, `npm run check:static` says.
 */
const project = resolve(import.meta.dirname, "../..");
const rooms = ["src/domain", "src/server", "src/web"];
const settings = ["package.json", "tsconfig.base.json", ...rooms.map((room) => `${room}/tsconfig.json`)];
const plugin = ["plugin.js", "imports.js"].map((name) => `tests/boundaries/${name}`);
let site: string;

/** The findings of each file, in one text. */
type Findings = Map<string, string>;

beforeAll(async () => {
  await mkdir(join(project, ".cache"), { recursive: true });
  site = await mkdtemp(join(project, ".cache/boundaries-"));
});
afterAll(() => rm(site, { recursive: true, force: true }));

describe("lint", () => {
  const findings = inFolder([...lintViolations, ...allowed], lint);

  it.each(lintViolations)("refuses $file: $boundary", ({ file, says }) => expect(findings().get(file)).toContain(says));
  it.each(allowed)("accepts $file", ({ file }) => expect(findings().get(file)).toBeUndefined());
});

describe("the types, without a violation", () => {
  const findings = inFolder(allowedByTypes, compile);

  it("pass", () => expect(findings()).toEqual(new Map()));
});

describe.each(typeStages)("the types, where $about", ({ violations }) => {
  const findings = inFolder([...violations, ...allowedByTypes], compile);

  it.each(violations)("refuse $file: $boundary", ({ file, says }) => expect(findings().get(file)).toContain(says));
});

/** Writes the files into a folder with the project's settings, before the tests around it; returns what `look` finds there. */
function inFolder(files: SourceFile[], look: (folder: string) => Promise<Findings>): () => Findings {
  let found: Findings;
  beforeAll(async () => {
    const folder = await mkdtemp(join(site, "rooms-"));
    for (const part of [...settings, ...plugin]) await cp(join(project, part), join(folder, part));
    await symlink(join(project, "node_modules"), join(folder, "node_modules"));
    await writeFile(join(folder, ".oxlintrc.json"), await withoutTypes());
    // A repository of its own, or oxlint would apply the .gitignore around it.
    await mkdir(join(folder, ".git"));
    for (const { file, code } of files) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), `${code}\n`);
    }
    found = await look(folder);
  });
  return () => found;
}

/** Boundaries need no types, and rules that need them fail on imports of missing files; directives against those rules are then unused. */
async function withoutTypes(): Promise<string> {
  const config = JSON.parse(await readFile(join(project, ".oxlintrc.json"), "utf8"));
  return JSON.stringify({ ...config, options: { ...config.options, typeAware: false, reportUnusedDisableDirectives: "off" } });
}

async function lint(folder: string): Promise<Findings> {
  const { diagnostics } = JSON.parse(await run(folder, "oxlint/bin/oxlint", ["--format=json", "src"]));
  return byFile(
    diagnostics.map((fault: Record<string, string>) => [fault["filename"], `${fault["code"]}: ${fault["message"]}`]),
  );
}

async function compile(folder: string): Promise<Findings> {
  const output = await run(folder, "typescript/bin/tsc", ["-b", "--pretty", "false", ...rooms]);
  const faults = output.split("\n").map((line) => /^([^ (]+)\(\d+,\d+\): (.*)$/.exec(line));
  return byFile(faults.flatMap((match) => (match ? [[match[1]!, match[2]!]] : [])));
}

function byFile(faults: [file: string, text: string][]): Findings {
  const findings: Findings = new Map();
  for (const [file, text] of faults) findings.set(file, `${findings.get(file) ?? ""}${text}\n`);
  return findings;
}

/** Runs a tool of the project in a folder. Faults make it fail, so only the absence of any output is an error here. */
function run(folder: string, tool: string, options: string[]): Promise<string> {
  return new Promise((done, fail) => {
    const command = [join(project, "node_modules", tool), ...options];
    execFile(process.execPath, command, { cwd: folder, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      if (error && stdout === "") fail(new Error(stderr, { cause: error }));
      else done(stdout);
    });
  });
}
