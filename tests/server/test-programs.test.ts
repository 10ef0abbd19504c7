import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readJourneys, readVitest } from "../../scripts/test-reports.mjs";
import { journeysProgram, vitestProgram } from "../../scripts/test-programs.mjs";

const project = join(import.meta.dirname, "../..");
const { CI: _, ...environment } = process.env;
let folder: string;

const write = (name: string, ...lines: string[]): void => writeFileSync(join(folder, name), lines.join("\n"));

/** Runs a program of `npm test` in the folder, on one file of tests. */
function run(program: string[], file: string, more: Record<string, string> = {}): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...program, file], {
    cwd: folder,
    env: { ...environment, ...more },
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pipwright-programs-"));
  symlinkSync(join(project, "node_modules"), join(folder, "node_modules"));
  write("package.json", '{ "type": "module" }');
  write("vitest.config.js", 'export default { test: { projects: [{ test: { name: "one", include: ["*.test.js"] } }] } };');
  write("plain.test.js", 'import { expect, it } from "vitest";', 'it("holds", () => expect(1).toBe(1));');
  write("only.test.js", 'import { expect, it } from "vitest";', 'it.only("holds", () => expect(1).toBe(1));');
  write(
    "snapshot.test.js",
    'import { expect, it } from "vitest";',
    'it("is kept", () => expect("calls").toMatchFileSnapshot("kept.txt"));',
  );
  write(
    "skipped.test.js",
    'import { describe, it } from "vitest";',
    'it("holds", () => {});',
    'describe.skip("s3", () => it("holds", () => {}));',
  );
  write(
    "skipped.spec.js",
    'import { test } from "@playwright/test";',
    'test("holds", () => {});',
    'test.skip("waits", () => {});',
  );
  write("plain.spec.js", 'import { test } from "@playwright/test";', 'test("holds", () => {});');
  write("only.spec.js", 'import { test } from "@playwright/test";', 'test.only("holds", () => {});');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("npm test fails for a forgotten .only among the units and the journeys", () => {
  expect(run(vitestProgram, "plain.test.js")).toMatchObject({ status: 0 });
  expect(run(vitestProgram, "only.test.js")).toMatchObject({ status: 1, output: expect.stringContaining(".only") });
  expect(run(journeysProgram, "plain.spec.js")).toMatchObject({ status: 0 });
  expect(run(journeysProgram, "only.spec.js")).toMatchObject({ status: 1, output: expect.stringContaining(".only") });
});

it("npm test fails for a snapshot that is missing, and does not write it", () => {
  expect(run(vitestProgram, "snapshot.test.js")).toMatchObject({ status: 1 });
  expect(existsSync(join(folder, "kept.txt"))).toBe(false);
});

it("npm test counts the tests that were skipped", () => {
  const file = join(folder, "report.json");
  run([...vitestProgram, "--reporter=json", `--outputFile.json=${file}`], "skipped.test.js");
  expect(readVitest(file)).toEqual({ passed: 1, skipped: 1, failures: [] });
  run([...journeysProgram, "--reporter=json"], "skipped.spec.js", { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
  expect(readJourneys(file)).toEqual({ passed: 1, skipped: 1, failures: [] });
  expect(readVitest(join(folder, "none.json"))).toEqual({ passed: 0, skipped: 0, failures: [] });
});
