import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { journeysProgram, vitestProgram } from "../../scripts/test-programs.mjs";

const project = join(import.meta.dirname, "../..");
const { CI: _, ...environment } = process.env;
let folder: string;

const write = (name: string, ...lines: string[]): void => writeFileSync(join(folder, name), lines.join("\n"));

/** Runs a program of `npm test` in the folder, on one file of tests. */
function run(program: string[], file: string): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...program, file], {
    cwd: folder,
    env: environment,
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
